import { noticeRoutes } from '@godwit/contract'
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
