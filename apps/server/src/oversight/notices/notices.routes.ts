import { noticeRoutes } from '@godwit/contract'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import type { Notices } from './notices.service.ts'

export function noticeEndpoints(notices: Notices): Endpoint[] {
  return [
    endpoint(noticeRoutes.list, ({ actor, locale }, { query }) =>
      notices.list({ userId: actor.userId, locale }, query),
    ),
    ...[noticeRoutes.markRead, noticeRoutes.markReadTwin].map((route) =>
      endpoint(route, async ({ actor }, { body }) => ({
        unread: await notices.markRead(actor.userId, body.noticeIds),
      })),
    ),
  ]
}
