import { inputCode } from '../input-codes.ts'
import { z } from 'zod'
import { entryName, place, userPath } from '../content/paths.ts'
import { mailLanguage } from '../foundation/mail.ts'
import { drawnMail } from '../foundation/mail-words.ts'
import { LIMITS } from '../limits.ts'
import { defineRoute } from '../wire/route.ts'
import { guestForm } from './link-forms.ts'
import { linkListQuery, linkPage } from './link-list.ts'
import { linkUse } from './link-use.ts'
import { linkRequest, requestArrival, requestState } from './link-requests.ts'
import { linkGroup, linkPerson, linkReader, linkRecipient } from './link-people.ts'
import { LINK_AUDIENCES, LINK_BLOCKS } from './link-states.ts'
import { SEALED_BY } from './sealed-files.ts'
import { sealedFilePage, sealedFilesQuery } from './sealed-listing.ts'

/** Protocol: docs/links.md. Times are Unix seconds. */

export const shareUrlType = z.union([z.literal(0), z.literal(1)])
const flag = z.union([z.literal(0), z.literal(1)])

/** An address as the lists show it, or only the id at its end. */
export const linkAddress = z.string().min(1).max(2048)
const linkAddresses = z.array(linkAddress).min(1).max(1000)

/** Recipients of one link, at most. */
export const LINK_RECIPIENTS_MAX = 200
/** Characters of the text that a mail with a link begins with. */
export const LINK_MAIL_TEXT_MAX = 4096

export const fileAlias = z.strictObject({ file: entryName, alias: entryName })
export type FileAlias = z.infer<typeof fileAlias>

/** People and groups that a link names, at most. */
export const LINK_NAMED_MAX = 200

const audience = z
  .strictObject({
    kind: z.enum(LINK_AUDIENCES),
    userIds: z.array(z.string().max(64)).max(LINK_NAMED_MAX).default([]),
    groupIds: z.array(z.int().min(1)).max(LINK_NAMED_MAX).default([]),
  })
  .refine(({ kind, userIds, groupIds }) => (kind === 'named') === userIds.length + groupIds.length > 0, {
    path: ['userIds'],
  })
export type WantedAudience = z.infer<typeof audience>

/** What can be changed later as well. */
const terms = {
  needPassword: z.boolean(),
  /** Left out while `needPassword` stays on, the password stays the same. */
  shareUrlPasswd: z.string().max(256),
  /** 0: never. */
  shareExpireTime: z.int().min(0),
  /** Mail me when somebody downloads or uploads. */
  notifyEmail: z.boolean(),
  /** Preview without download when 0; without meaning for invite links. */
  shareAllowDownload: flag,
  fileAlias: z.array(fileAlias).max(LIMITS.pathsPerCall),
  /** Only the first device that opens the link may use it. */
  bindSwitch: z.boolean(),
  /** Downloads after which the link is used up; 0: no limit. */
  downloadLimit: z.int().min(0).max(1_000_000),
  /** 0: at once. */
  notBefore: z.int().min(0),
  description: z.string().max(LIMITS.remarkMax, inputCode('REMARK_TOO_LONG')),
  /** What guests of an invite link are asked before they bring anything; null: nothing. */
  guestForm: guestForm.nullable(),
  /** What guests of an invite link are asked to bring; null: anything. */
  request: linkRequest.nullable(),
  /** Only those it is mailed to come in, each by a code that is mailed to them. */
  needEmail: z.boolean(),
  /** For people of the site alone: they sign in, so that such a link has no password, device, code, mail or form. */
  audience,
}

/** Whom the address is mailed to, and how. */
const mailing = {
  shareEmail: z.array(z.string().max(LIMITS.textInputMax)).max(LINK_RECIPIENTS_MAX),
  shareEmailContent: z.string().max(LINK_MAIL_TEXT_MAX),
  emailLanguage: mailLanguage,
}

export const createLinkInput = z.strictObject({
  ...place,
  shareUrlType,
  /** The folder that `shareFiles` are in. */
  shareServerPath: userPath,
  /** Names of entries; none: the folder itself. An invite link takes one folder, by either field. */
  shareFiles: z.array(entryName).max(100_000).default([]),
  needPassword: terms.needPassword.default(false),
  shareUrlPasswd: terms.shareUrlPasswd.default(''),
  /** Left out: in one day. */
  shareExpireTime: terms.shareExpireTime.optional(),
  notifyEmail: terms.notifyEmail.default(false),
  shareAllowDownload: terms.shareAllowDownload.default(1),
  fileAlias: terms.fileAlias.default([]),
  bindSwitch: terms.bindSwitch.optional(),
  downloadLimit: terms.downloadLimit.default(0),
  notBefore: terms.notBefore.default(0),
  description: terms.description.default(''),
  guestForm: terms.guestForm.default(null),
  request: terms.request.default(null),
  needEmail: terms.needEmail.default(false),
  audience: terms.audience.default({ kind: 'anyone', userIds: [], groupIds: [] }),
  shareEmail: mailing.shareEmail.default([]),
  shareEmailContent: mailing.shareEmailContent.default(''),
  emailLanguage: mailing.emailLanguage.default(0),
  /**
   * Fingerprint of the key that browsers encrypt its files for, end to end; '' for ordinary files. Such a link has one folder of its
   * own, and no mail, code, checklist or audience, because the server could not keep what they promise. It stays with the link.
   */
  sealedBy: z.union([z.literal(''), z.string().regex(SEALED_BY)]).default(''),
  /** Taken and not used: what is shared shows by itself, and addresses come from the configuration alone. */
  shareSrcType: z.int().min(0).max(2).optional(),
  shareBaseUrl: z.string().max(2048).optional(),
  accountType: z.int().optional(),
})
export type CreateLinkInput = z.infer<typeof createLinkInput>

export const editLinkInput = z.strictObject({
  shareUrl: linkAddress,
  ...z.object(terms).partial().shape,
  ...z.object(mailing).partial().shape,
})
export type EditLinkInput = z.infer<typeof editLinkInput>

export const linkRecord = z.object({
  linkId: z.string(),
  /** The address; a path without a host while the installation has no public address. */
  shareLink: z.string(),
  shareUrlType,
  filename: z.array(z.string()),
  /** 0 file, 1 folder, 2 files */
  type: z.int(),
  shareServerPath: z.string(),
  /**
   * Names of what is gone: deleted, or moved to another place. Guests do not see it. When nothing is left the link is expired,
   * until something of it is restored.
   */
  missing: z.array(z.string()),
  spaceId: z.int(),
  groupId: z.int(),
  spaceName: z.string(),
  groupName: z.string(),
  needPassword: z.boolean(),
  /** '' without one. */
  sharePassword: z.string(),
  /** 1 normal, 2 expired, 3 canceled */
  shareStatus: z.int(),
  /** Why guests are kept out of a link whose status is normal. */
  blockedBy: z.enum(LINK_BLOCKS).nullable(),
  account: z.string(),
  creatorEmail: z.string(),
  shareCreateTime: z.int(),
  shareExpireTime: z.int(),
  notBefore: z.int(),
  shareEmail: z.array(z.string()),
  notifyEmail: z.boolean(),
  shareAllowDownload: flag,
  fileAlias: z.array(fileAlias),
  bindSwitch: z.boolean(),
  /** The device that the link is bound to; '' while it is not. */
  bindDevice: z.string(),
  downloadLimit: z.int(),
  downloadCount: z.int(),
  uploadCount: z.int(),
  description: z.string(),
  guestForm: guestForm.nullable(),
  request: linkRequest.nullable(),
  needEmail: z.boolean(),
  sealedBy: z.string(),
  audience: z.object({ kind: z.enum(LINK_AUDIENCES), users: z.array(linkPerson), groups: z.array(linkGroup) }),
})
export type LinkRecord = z.infer<typeof linkRecord>

/** Days that a link can be extended by at once. */
export const LINK_EXTENSION_DAYS = LIMITS.shareExpiryDays

const change = {
  access: 'user',
  body: z.strictObject({ shareUrlList: linkAddresses }),
  reply: z.object({}),
  errors: ['LINK_NOT_FOUND'],
} as const

const FILE_ERRORS = ['PATH_NOT_FOUND', 'PERMISSION_DENIED', 'NO_SPACE', 'SHARE_TOO_MANY_FILES'] as const
const TERM_ERRORS = [
  'LINK_PASSWORD_INVALID',
  'LINK_EXPIRY_PAST',
  'SHARE_MAIL_SENDER_MISSING',
  'SHARE_MAIL_BY_PERSON',
  'EMAIL_INVALID',
  'LINK_RECIPIENT_REQUIRED',
  'LINK_PERSON_UNKNOWN',
  'FILE_ALIAS_INVALID',
  'FILE_ALIAS_TAKEN',
  'FILE_ALIAS_DUPLICATE',
  'FILE_ALIAS_NOT_ALLOWED',
  'LINK_SEALED_TERMS',
] as const

/** Links as their owner manages them. */
export const linkRoutes = {
  create: defineRoute({
    method: 'POST',
    path: '/api/share/link/create',
    summary: 'Make a share link or an invite link',
    access: 'user',
    body: createLinkInput,
    reply: z.object({ shareUrl: z.string(), linkId: z.string() }),
    errors: [...FILE_ERRORS, ...TERM_ERRORS],
  }),
  edit: defineRoute({
    method: 'POST',
    path: '/api/share/link/edit',
    summary: 'Change the terms of a link; what is left out stays',
    access: 'user',
    body: editLinkInput,
    reply: linkRecord,
    errors: ['LINK_NOT_FOUND', ...TERM_ERRORS],
  }),
  list: defineRoute({
    method: 'GET',
    path: '/api/share/link/list',
    summary: 'My links of one kind',
    access: 'user',
    query: linkListQuery,
    reply: z.object({ sharelinkinfo: z.array(linkRecord), total: z.int(), size: z.int(), current: z.int() }),
    errors: [],
  }),
  detail: defineRoute({
    method: 'GET',
    path: '/api/share/link/detail',
    summary: 'One link of mine',
    access: 'user',
    query: z.object({ url: linkAddress }),
    reply: linkRecord,
    errors: ['LINK_NOT_FOUND'],
  }),
  sealedFiles: defineRoute({
    method: 'POST',
    path: '/api/share/link/sealed',
    summary: 'Files of an end-to-end encrypted link of mine with their encrypted beginnings, a page at a time',
    access: 'user',
    body: sealedFilesQuery.extend({ url: linkAddress }),
    reply: sealedFilePage,
    errors: ['LINK_NOT_FOUND', 'OPERATION_UNSUPPORTED', 'PATH_NOT_FOUND', 'PERMISSION_DENIED', 'CURSOR_INVALID'],
  }),
  uses: defineRoute({
    method: 'GET',
    path: '/api/share/link/uses',
    summary: 'Who downloaded or uploaded what by a link of mine, newest first',
    access: 'user',
    query: z.object({ ...linkPage, url: linkAddress }),
    reply: z.object({ items: z.array(linkUse), total: z.int(), size: z.int(), current: z.int() }),
    errors: ['LINK_NOT_FOUND'],
  }),
  recipients: defineRoute({
    method: 'GET',
    path: '/api/share/link/recipients',
    summary: 'Whom a link of mine was mailed to, and what became of it for each',
    access: 'user',
    query: z.object({ url: linkAddress }),
    /** `people`: of a link for people of the site, those it names, members of its groups, and others who opened it; at most 500. */
    reply: z.object({ items: z.array(linkRecipient), people: z.array(linkReader) }),
    errors: ['LINK_NOT_FOUND'],
  }),
  request: defineRoute({
    method: 'GET',
    path: '/api/share/link/request',
    summary: 'What an invite link of mine asks for, what has come for each item, and the newest 200 files',
    access: 'user',
    query: z.object({ url: linkAddress }),
    /** `state` is null for a link that takes anything. */
    reply: z.object({ state: requestState.nullable(), arrivals: z.array(requestArrival) }),
    errors: ['LINK_NOT_FOUND'],
  }),
  people: defineRoute({
    method: 'GET',
    path: '/api/share/link/people',
    summary: 'Whom a link can be for: people who share a space with the caller, and the groups of the caller',
    access: 'session',
    /** Part of an account, a name or an e-mail address; the whole account where the site hides people from each other. */
    query: z.object({ keyword: z.string().trim().max(LIMITS.textInputMax).default('') }),
    reply: z.object({ users: z.array(linkPerson), groups: z.array(linkGroup) }),
    errors: ['RATE_LIMITED'],
  }),
  mailAgain: defineRoute({
    method: 'POST',
    path: '/api/share/link/mail',
    summary: 'Mail a link of mine once more to one of its recipients',
    access: 'user',
    body: z.strictObject({ url: linkAddress, address: z.string().max(LIMITS.textInputMax) }),
    reply: z.object({}),
    errors: [
      'LINK_NOT_FOUND',
      'LINK_RECIPIENT_REQUIRED',
      'SHARE_MAIL_SENDER_MISSING',
      'SHARE_MAIL_BY_PERSON',
      'RATE_LIMITED',
    ],
  }),
  previewMail: defineRoute({
    method: 'POST',
    path: '/api/share/link/mail/preview',
    summary:
      'The mail that the recipients of a link would get, as HTML in light and dark and as plain text; sends nothing',
    access: 'user',
    body: z.strictObject({
      shareUrlType,
      /** Of what is shared. */
      name: z.string().max(LIMITS.pathMaxBytes),
      shareEmailContent: mailing.shareEmailContent,
      emailLanguage: mailing.emailLanguage,
    }),
    reply: drawnMail,
    errors: [],
  }),
  remind: defineRoute({
    method: 'POST',
    path: '/api/share/link/remind',
    summary:
      'Remind those a link of mine is for who have not opened it, or not taken or brought everything; once a day',
    access: 'user',
    body: z.strictObject({ url: linkAddress }),
    /** How many were reminded: by mail, and by a notice. */
    reply: z.object({ mails: z.int(), notices: z.int() }),
    errors: [
      'LINK_NOT_FOUND',
      'LINK_EXPIRED',
      'LINK_RECIPIENT_REQUIRED',
      'SHARE_MAIL_SENDER_MISSING',
      'SHARE_MAIL_BY_PERSON',
      'RATE_LIMITED',
    ],
  }),
  extend: defineRoute({
    ...change,
    method: 'POST',
    path: '/api/share/link/extend',
    summary: 'Let links last longer, counted from their end or from now; an expired one opens again',
    body: z.strictObject({
      shareUrlList: linkAddresses,
      days: z.int().refine((days) => LINK_EXTENSION_DAYS.some((each) => each === days)),
    }),
  }),
  remove: defineRoute({
    ...change,
    method: 'POST',
    path: '/api/share/link/delete',
    summary: 'Delete links for good; their visitors are cut off',
  }),
  cancel: defineRoute({
    ...change,
    method: 'PATCH',
    path: '/api/share/link/cancel',
    summary: 'Disable links; their visitors are cut off',
  }),
  cancelTwin: defineRoute({
    ...change,
    method: 'POST',
    path: '/api/share/link/cancel',
    summary: 'The same as PATCH, for proxies that drop it',
  }),
  enable: defineRoute({
    ...change,
    method: 'POST',
    path: '/api/share/link/enable',
    summary: 'Put disabled links back into use',
  }),
  unbind: defineRoute({
    ...change,
    method: 'POST',
    path: '/api/share/link/unbind',
    summary: 'Let another device become the one that a link is bound to',
    body: z.strictObject({ urls: linkAddresses }),
  }),
  downloadCount: defineRoute({
    method: 'GET',
    path: '/api/share/link/download/count',
    summary: 'How often something was downloaded by a link of mine',
    access: 'user',
    query: z.object({ sid: linkAddress }),
    reply: z.object({ count: z.int() }),
    errors: ['LINK_NOT_FOUND'],
  }),
} as const
