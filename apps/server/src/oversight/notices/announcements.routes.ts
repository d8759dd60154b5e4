import { adminNoticeRoutes } from '@godwit/contract'
import { loggedEndpoint } from '../../foundation/operation-log/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import {
  announcementDetail,
  cancelAnnouncement,
  editAnnouncement,
  findTargets,
  listAnnouncements,
  reachOf,
  sendAnnouncement,
  type AnnouncementsDeps,
} from './announcements.service.ts'

/** Notices that administrators write. */
export function announcementEndpoints(deps: AnnouncementsDeps): Endpoint[] {
  const { db } = deps
  return [
    endpoint(adminNoticeRoutes.list, (_ctx, { query }) => listAnnouncements(db, query)),
    endpoint(adminNoticeRoutes.targets, (_ctx, { query }) => findTargets(db, query.text ?? '')),
    endpoint(adminNoticeRoutes.reach, (_ctx, { query }) =>
      reachOf(deps, {
        all: query.all === '1',
        users: partsOf(query.users),
        groups: partsOf(query.groups).map(Number),
        departments: partsOf(query.departments).map(Number),
      }),
    ),
    endpoint(adminNoticeRoutes.get, async (_ctx, { params }) => ({
      notice: await announcementDetail(db, params.noticeId),
    })),
    loggedEndpoint(deps, adminNoticeRoutes.send, async ({ principal }, { body }, record) => {
      const author = accountOf(principal).account
      return { noticeId: await sendAnnouncement(deps, { wanted: body, author }, record) }
    }),
    loggedEndpoint(deps, adminNoticeRoutes.edit, async (_ctx, { params, body }, record) => {
      const { revision, ...wanted } = body
      await editAnnouncement(deps, { id: params.noticeId, wanted, revision }, record)
      return {}
    }),
    loggedEndpoint(deps, adminNoticeRoutes.cancel, async (_ctx, { body }, record) => {
      await cancelAnnouncement(deps, body.noticeId, record)
      return {}
    }),
  ]
}

function partsOf(list: string): string[] {
  return list.split(',').filter((each) => each !== '')
}
