import { adminNoticeRoutes, noticeRoutes, noticeType, SYSTEM_NOTICES, type SystemNotice } from '@godwit/contract'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import type { Notices } from './notices.service.ts'

export function noticeEndpoints(notices: Notices): Endpoint[] {
  return [
    endpoint(noticeRoutes.list, ({ principal, locale }, { query }) =>
      notices.list({ userId: principal.id, locale }, query),
    ),
    ...[noticeRoutes.markRead, noticeRoutes.markReadTwin].map((route) =>
      endpoint(route, async ({ principal }, { body }) => ({
        unread: await notices.markRead(principal.id, body.noticeIds),
      })),
    ),
  ]
}

/** What the server writes by itself. */
export function noticeTypesEndpoint(isOn: (kind: SystemNotice) => Promise<boolean>): Endpoint {
  const kinds = Object.keys(SYSTEM_NOTICES) as SystemNotice[]
  const rowOf = async (kind: SystemNotice) => {
    const { to, byMail, setting = '' } = noticeType(kind)
    return { kind, to, byMail, setting, isOn: await isOn(kind) }
  }
  return endpoint(adminNoticeRoutes.types, async () => ({ rows: await Promise.all(kinds.map(rowOf)) }))
}
