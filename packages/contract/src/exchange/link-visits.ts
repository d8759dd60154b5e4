import { z } from 'zod'
import { fileOperations, viewedReport } from '../content/files.ts'
import { entryName, userPath } from '../content/paths.ts'
import { previewQuery, thumbnailEdge } from '../content/preview-routes.ts'
import { mailLanguage } from '../foundation/mail.ts'
import { sentCode } from '../identity/auth.ts'
import { LIMITS } from '../limits.ts'
import { defineRoute } from '../wire/route.ts'
import { guestAnswer, guestForm } from './link-forms.ts'
import { requestState } from './link-requests.ts'
import { linkAddress, shareUrlType } from './links.ts'
import { sealedFilePage, sealedFilesQuery } from './sealed-listing.ts'

/**
 * What guests of a link call. Before the password only `verify` answers, and it says no more than that one is needed. A
 * visit begins with it and has a token of its own; paths count from what is shared. Protocol: docs/links.md.
 */

/** The answer of a bound device to the challenge: an ECDSA P-256 key in the browser that cannot be exported. */
export const linkDevice = z.strictObject({
  /** Public key, SPKI in base64url. */
  key: z.string().max(512),
  challenge: z.string().max(512),
  /** Over `godwit-link-device:v1\n`, the link's id, `\n` and the challenge, SHA-256, r and s of 32 bytes each, in base64url. */
  signature: z.string().max(256),
})

/** Who comes: by the token of the address that was mailed to them, or the e-mail address that they type. */
const linkPerson = z.strictObject({
  to: z.string().max(64).optional(),
  address: z.string().max(LIMITS.textInputMax).optional(),
})

const visitErrors = ['LINK_NOT_FOUND', 'LINK_EXPIRED'] as const
const paths = z.array(userPath).max(LIMITS.pathsPerCall)
const guestErrors = ['TOKEN_INVALID', 'LINK_EXPIRED', 'PATH_NOT_FOUND', 'PERMISSION_DENIED'] as const

const linkId = z.string().max(64)

const plainContent = {
  path: '/api/share/link/:linkId/content',
  access: 'public',
  params: z.object({ linkId }),
  /** Left out: everything. */
  query: z.object({ path: userPath.optional() }),
  reply: z.string(),
  raw: 'reply',
  errors: [
    ...visitErrors,
    'LINK_PASSWORD_WRONG',
    'LINK_DEVICE_MISMATCH',
    'LINK_EMAIL_REQUIRED',
    'LINK_SIGN_IN_REQUIRED',
    'LINK_SEALED',
    'LINK_TAKES_FILES',
    'PATH_NOT_FOUND',
    'RATE_LIMITED',
  ],
} as const

const visitContent = {
  path: '/api/share/visit/content',
  access: 'public',
  query: previewQuery,
  reply: z.string(),
  raw: 'reply',
  errors: [
    'TICKET_INVALID',
    'LINK_EXPIRED',
    'PATH_NOT_FOUND',
    'RANGE_INVALID',
    'FILE_CHANGED',
    'FILE_SCREENING',
    'PREVIEW_UNSUPPORTED',
    'SERVER_BUSY',
  ],
} as const

/** A file on the device of a guest who wants to know whether it is what was shared. */
const copyOfFile = z.strictObject({
  path: userPath,
  /** Bytes. */
  size: z.int().min(0),
  /** BLAKE3 tree hash: 1 MiB leaves, lower-case hex. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
})
export type CopyOfFile = z.infer<typeof copyOfFile>
/** `unknown`: no checksum was recorded of what the file is now. */
const COPY_RESULTS = ['equal', 'different', 'unknown'] as const
export type CopyResult = (typeof COPY_RESULTS)[number]

/** What a guest knows of the link. */
export const linkInfo = z.object({
  result: z.boolean(),
  code: z.int(),
  linkId: z.string(),
  /** Of this visit; '' when the caller showed it. */
  token: z.string(),
  /** Whether the installation's licence is active. */
  actived: z.boolean(),
  /** Who shares. */
  shareAccount: z.string(),
  account: z.string(),
  /** Always empty. */
  sharePasswd: z.literal(''),
  spaceId: z.int(),
  groupId: z.int(),
  /** '' while transfers are not sealed besides TLS. */
  webEncryptedKey: z.string(),
  bindSwitch: z.boolean(),
  bindDevice: z.string(),
  /** Permission bits of the guest, wire form. */
  userPermission: z.int(),
  shareUrlType,
  shareAllowDownload: z.union([z.literal(0), z.literal(1)]),
  needPassword: z.boolean(),
  /** What is shared: a name for the title. */
  title: z.string(),
  /** 0 file, 1 folder, 2 files */
  type: z.int(),
  /** Entries at the top of a download link; 0 for an invite link. */
  itemCount: z.int(),
  description: z.string(),
  /** Unix seconds; 0: never. */
  shareExpireTime: z.int(),
  /** Downloads that are left; null without a limit. */
  downloadsLeft: z.int().nullable(),
  /** What the owner asks before anything is brought; null: nothing, or nothing any more. */
  guestForm: guestForm.nullable(),
  /** Fingerprint of the key behind the `#` of the address, for which files are encrypted end to end; '' for ordinary files. */
  sealedBy: z.string(),
})
export type LinkInfo = z.infer<typeof linkInfo>

export const linkVisitRoutes = {
  verify: defineRoute({
    method: 'POST',
    path: '/api/share/link/verify/url',
    summary: 'Open a link: begins a visit, or says that it needs a password',
    access: 'public',
    body: z.strictObject({
      url: linkAddress,
      /** Taken and not trusted: a bound link asks for `device`. */
      fingerprint: z.string().max(256).optional(),
      passwd: z.string().max(256).optional(),
      device: linkDevice.optional(),
      person: linkPerson.optional(),
      /** Of 6 digits, from the mail. */
      code: z.string().max(32).optional(),
    }),
    reply: z.object({
      /** Whether a visit began. */
      result: z.boolean(),
      /**
       * 200, or the code of what is missing: 5602 the password, 5604 the device's answer, 5616 the code that was mailed,
       * 5618 a sign-in: the link is for people of the site.
       */
      code: z.int(),
      needPassword: z.boolean(),
      /** Who shares; '' before the visit. */
      account: z.string(),
      /** Bearer token of the visit; '' before. */
      token: z.string(),
      /** When the token ends, Unix seconds. */
      expiresAt: z.int(),
      /** To be signed by the device of a bound link; good for five minutes. */
      challenge: z.string(),
      /** Of whom the personal address is, as `m…@example.org`, when the code is asked for; '' otherwise. */
      email: z.string(),
    }),
    errors: [
      ...visitErrors,
      'LINK_PASSWORD_WRONG',
      'LINK_DEVICE_MISMATCH',
      'EMAIL_CODE_WRONG',
      'EMAIL_CODE_EXPIRED',
      'RATE_LIMITED',
    ],
  }),
  sendCode: defineRoute({
    method: 'POST',
    path: '/api/share/link/code',
    summary: 'Mail a code to somebody whom the link was mailed to; whoever else asks gets the same answer and no mail',
    access: 'public',
    body: z.strictObject({
      url: linkAddress,
      passwd: z.string().max(256).optional(),
      person: linkPerson,
      language: mailLanguage,
    }),
    reply: sentCode,
    errors: [...visitErrors, 'LINK_PASSWORD_REQUIRED', 'LINK_PASSWORD_WRONG', 'EMAIL_INVALID', 'RATE_LIMITED'],
  }),
  info: defineRoute({
    method: 'GET',
    path: '/api/share/link/info',
    summary: 'What a guest may know of the link, by the token of the visit',
    access: 'public',
    query: z.object({ url: linkAddress.optional(), passwd: z.string().max(256).optional() }),
    reply: linkInfo,
    errors: [
      ...visitErrors,
      'LINK_PASSWORD_REQUIRED',
      'LINK_PASSWORD_WRONG',
      'LINK_DEVICE_MISMATCH',
      'LINK_EMAIL_REQUIRED',
      'LINK_SIGN_IN_REQUIRED',
      'RATE_LIMITED',
    ],
  }),
  reportDownload: defineRoute({
    method: 'POST',
    path: '/api/share/link/download/count',
    summary: 'Taken for compatibility: the server counts downloads by itself',
    access: 'guest',
    body: z.strictObject({ accessDest: paths }),
    reply: z.object({ count: z.int() }),
    errors: ['TOKEN_INVALID', 'LINK_EXPIRED'],
  }),
  list: defineRoute({
    method: 'POST',
    path: '/api/share/visit/list',
    summary: 'One page of a shared folder; `/` is what is shared',
    access: 'guest',
    body: fileOperations.list.input.omit({ spaceId: true, groupId: true }),
    reply: fileOperations.list.reply,
    errors: [...guestErrors, 'PATH_IS_FILE', 'CURSOR_INVALID'],
  }),
  sealedFiles: defineRoute({
    method: 'POST',
    path: '/api/share/visit/sealed',
    summary: 'Files of an end-to-end encrypted link with their encrypted beginnings, a page at a time',
    access: 'guest',
    body: sealedFilesQuery,
    reply: sealedFilePage,
    errors: ['TOKEN_INVALID', 'LINK_EXPIRED', 'LINK_DOWNLOAD_NOT_ALLOWED', 'OPERATION_UNSUPPORTED', 'CURSOR_INVALID'],
  }),
  ticket: defineRoute({
    method: 'POST',
    path: '/api/share/visit/ticket',
    summary: 'A short-lived plain link to a file, to a selection, or to everything when `paths` is empty',
    access: 'guest',
    body: z.strictObject({ paths }),
    reply: fileOperations.download.reply,
    errors: [...guestErrors, 'LINK_DOWNLOAD_NOT_ALLOWED', 'LINK_SEALED'],
  }),
  content: defineRoute({
    ...visitContent,
    method: 'GET',
    summary: 'The bytes that a ticket names: a file by Range, or a zip',
  }),
  contentHead: defineRoute({ ...visitContent, method: 'HEAD', summary: 'Size, type and ETag of what GET answers' }),
  preview: defineRoute({
    method: 'POST',
    path: '/api/share/visit/preview',
    summary: 'How a shared file can be shown, also where it may not be downloaded',
    access: 'guest',
    body: z.strictObject({ path: userPath }),
    reply: fileOperations.preview.reply,
    errors: [...guestErrors, 'PATH_IS_FOLDER'],
  }),
  viewed: defineRoute({
    method: 'POST',
    path: '/api/share/visit/viewed',
    summary: 'Report that a preview is still looked at, every half minute, or that it was closed',
    access: 'guest',
    body: viewedReport,
    reply: z.object({}),
    errors: ['TOKEN_INVALID', 'LINK_EXPIRED'],
  }),
  check: defineRoute({
    method: 'POST',
    path: '/api/share/visit/check',
    summary:
      'Compare a downloaded copy with the checksum that was recorded of the file; the owner sees that it is equal',
    access: 'guest',
    body: copyOfFile,
    reply: z.object({ result: z.enum(COPY_RESULTS) }),
    errors: [...guestErrors, 'PATH_IS_FOLDER', 'LINK_DOWNLOAD_NOT_ALLOWED'],
  }),
  thumbnail: defineRoute({
    method: 'GET',
    path: '/api/share/visit/thumbnail',
    summary: 'A small picture of a shared picture, as WebP, also where it may not be downloaded',
    access: 'guest',
    query: z.object({ path: userPath, edge: thumbnailEdge }),
    reply: z.string(),
    raw: 'reply',
    errors: [...guestErrors, 'PATH_IS_FOLDER', 'PREVIEW_UNSUPPORTED', 'SERVER_BUSY'],
  }),
  enter: defineRoute({
    method: 'POST',
    path: '/api/share/visit/enter',
    summary: 'Accept the terms of an invite link and say what its owner asks',
    access: 'guest',
    body: guestAnswer,
    reply: z.object({}),
    errors: ['TOKEN_INVALID', 'LINK_EXPIRED', 'LINK_FORM_REQUIRED', 'EMAIL_INVALID'],
  }),
  request: defineRoute({
    method: 'GET',
    path: '/api/share/visit/request',
    summary: 'What the owner of an invite link asks for, and what of it has come from this guest',
    access: 'guest',
    reply: z.object({ state: requestState.nullable() }),
    errors: ['TOKEN_INVALID', 'LINK_EXPIRED'],
  }),
  mkdir: defineRoute({
    method: 'POST',
    path: '/api/share/visit/mkdir',
    summary: 'A folder of the guest; a name that is taken gets a number',
    access: 'guest',
    body: z.strictObject({ folder: userPath, name: entryName }),
    reply: z.object({ path: z.string() }),
    errors: [...guestErrors, 'NAME_INVALID', 'LINK_FORM_REQUIRED'],
  }),
  leave: defineRoute({
    method: 'POST',
    path: '/api/share/visit/leave',
    summary: 'End the visit; its token is good for nothing any more',
    access: 'guest',
    reply: z.object({}),
    errors: ['TOKEN_INVALID'],
  }),
  plain: defineRoute({
    ...plainContent,
    method: 'GET',
    summary: 'For curl and wget: the password as X-Link-Password or by Basic authentication',
  }),
  plainHead: defineRoute({ ...plainContent, method: 'HEAD', summary: 'Size, type and ETag of what GET answers' }),
} as const
