import { z } from 'zod'
import { listQuery, listReply, revision } from '../identity/console-lists.ts'
import { defineRoute } from '../wire/route.ts'
import { ANNOUNCEMENT_LIMITS, ANNOUNCEMENT_STATES } from './announcement-limits.ts'
import { NOTICE_CHANNELS } from './event-states.ts'
import { NOTICE_READERS, SYSTEM_NOTICES, type SystemNotice } from './notice-types.ts'

/** Notices that administrators write. Times are Unix milliseconds. */

const { titleMax, textMax, usersMax, groupsMax, departmentsMax } = ANNOUNCEMENT_LIMITS

const userId = z.string().min(1).max(32)
const placeId = z.int().min(1)

/** Whom it is for: everybody, or these people and everyone in these groups and departments and those below them. */
const audience = z.strictObject({
  all: z.boolean().default(false),
  users: z.array(userId).max(usersMax).default([]),
  groups: z.array(placeId).max(groupsMax).default([]),
  departments: z.array(placeId).max(departmentsMax).default([]),
})
export type Audience = z.infer<typeof audience>

const title = z.string().trim().max(titleMax).default('')
const text = z.string().trim().max(textMax).default('')

/** In one language or both. Readers of the other language get the one there is. Plain text; addresses become links. */
const words = { titleEn: title, textEn: text, titleZh: title, textZh: text }

const content = {
  ...words,
  channels: z.array(z.enum(NOTICE_CHANNELS)).max(NOTICE_CHANNELS.length),
  audience,
  /** 0: now. */
  sendAt: z.int().min(0).default(0),
}
const wanted = z.strictObject(content)
export type WantedAnnouncement = z.infer<typeof wanted>

const named = <Id extends z.ZodType>(id: Id) => z.array(z.object({ id, name: z.string() }))

const summary = z.object({
  id: z.string(),
  state: z.enum(ANNOUNCEMENT_STATES),
  titleEn: z.string(),
  titleZh: z.string(),
  channels: z.array(z.enum(NOTICE_CHANNELS)),
  /** The account that wrote it. */
  author: z.string(),
  createdAt: z.int(),
  /** When it is, or was, due. */
  sendAt: z.int(),
  /** When it was sent or cancelled. */
  finishedAt: z.int().nullable(),
  /** People who have it so far. */
  reached: z.int(),
  /** Of these, people to whom a mail goes. */
  mailed: z.int(),
  /** People who read it in the portal. */
  read: z.int(),
  revision,
})
export type Announcement = z.infer<typeof summary>

const detail = summary.extend({
  textEn: z.string(),
  textZh: z.string(),
  audience: z.object({
    all: z.boolean(),
    users: named(z.string()),
    groups: named(z.int()),
    departments: named(z.int()),
  }),
})
export type AnnouncementDetail = z.infer<typeof detail>

const KINDS = Object.keys(SYSTEM_NOTICES) as readonly SystemNotice[]

const noticeTypeRow = z.object({
  kind: z.enum(KINDS),
  to: z.enum(NOTICE_READERS),
  byMail: z.boolean(),
  /** The setting that switches it; '' for one that is always sent. */
  setting: z.string(),
  isOn: z.boolean(),
})
export type AdminNoticeType = z.infer<typeof noticeTypeRow>

const access = { right: 'notices.send' } as const
const params = z.object({ noticeId: z.string().max(32) })

/** Ids apart by commas, as an address can hold them. */
const idList = (pattern: RegExp, most: number) => z.string().max(most).regex(pattern).default('')

export const adminNoticeRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/admin/notices',
    summary: 'Notices that administrators wrote, the newest first, with how many have them and read them',
    access,
    query: z.object({
      ...{ page: listQuery.page, size: listQuery.size, text: listQuery.text },
      state: z.enum(ANNOUNCEMENT_STATES).optional(),
    }),
    reply: listReply(summary),
    errors: [],
  }),
  targets: defineRoute({
    method: 'GET',
    path: '/api/admin/notices/targets',
    summary: 'People, groups and departments whose name holds a text, to choose from',
    access,
    query: z.object({ text: listQuery.text }),
    reply: z.object({
      users: z.array(z.object({ id: z.string(), name: z.string() })),
      groups: z.array(z.object({ id: z.int(), name: z.string() })),
      departments: z.array(z.object({ id: z.int(), name: z.string() })),
    }),
    errors: [],
  }),
  types: defineRoute({
    method: 'GET',
    path: '/api/admin/notices/types',
    summary: 'Notices that the server writes by itself: to whom, by which way, and whether they are on',
    access,
    reply: z.object({ rows: z.array(noticeTypeRow) }),
    errors: [],
  }),
  reach: defineRoute({
    method: 'GET',
    path: '/api/admin/notices/reach',
    summary: 'How many people an audience has, and how many of them have an e-mail address; ids apart by commas',
    access,
    query: z.object({
      all: z.enum(['0', '1']).default('0'),
      users: idList(/^[\w,-]*$/, usersMax * 33),
      groups: idList(/^[\d,]*$/, groupsMax * 11),
      departments: idList(/^[\d,]*$/, departmentsMax * 11),
    }),
    reply: z.object({ people: z.int(), withMail: z.int() }),
    errors: [],
  }),
  get: defineRoute({
    method: 'GET',
    path: '/api/admin/notices/:noticeId',
    summary: 'One of these notices with its text and whom it is for',
    access,
    params,
    reply: z.object({ notice: detail }),
    errors: ['NOTICE_NOT_FOUND'],
  }),
  send: defineRoute({
    method: 'POST',
    path: '/api/admin/notices',
    summary: 'Send a notice to people, groups, departments or everybody, now or at a time',
    access,
    log: 'notice.send',
    body: wanted,
    reply: z.object({ noticeId: z.string() }),
    errors: ['PARAMETER_INVALID', 'VALUE_REQUIRED', 'SYSTEM_MAIL_NOT_CONFIGURED'],
  }),
  edit: defineRoute({
    method: 'POST',
    path: '/api/admin/notices/:noticeId',
    summary: 'Change a notice that is still planned',
    access,
    log: 'notice.edit',
    params,
    body: wanted.extend({ revision }),
    reply: z.object({}),
    errors: [
      'NOTICE_NOT_FOUND',
      'NOTICE_ALREADY_SENT',
      'EDIT_CONFLICT',
      'PARAMETER_INVALID',
      'VALUE_REQUIRED',
      'SYSTEM_MAIL_NOT_CONFIGURED',
    ],
  }),
  cancel: defineRoute({
    method: 'POST',
    path: '/api/admin/notices/cancel',
    summary: 'Cancel a planned notice, or stop one that is being sent; who has it keeps it',
    access,
    log: 'notice.cancel',
    body: z.strictObject({ noticeId: params.shape.noticeId }),
    reply: z.object({}),
    errors: ['NOTICE_NOT_FOUND', 'NOTICE_ALREADY_SENT'],
  }),
}
