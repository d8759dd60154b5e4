import { inputCode } from '../input-codes.ts'
import { z } from 'zod'
import { CLEANING_BASES, CLEANING_DAYS, STORAGE_KINDS, STORAGE_PROBE_STEPS } from '../foundation/storage-types.ts'
import { defineRoute } from '../wire/route.ts'
import { revision } from './console-lists.ts'

const TEXT_MAX = 1024
/** A file of credentials has about 2,400 characters. */
const SECRET_MAX = 16_384

/** What a kind needs to be opened; each kind takes its own part of it. The secret is apart and only ever sent. */
const settings = z.strictObject({
  /** local: absolute path of a folder of the server. */
  folder: z.string().max(TEXT_MAX).optional(),
  /** Address of the service; '' for AWS itself. */
  endpoint: z.string().trim().max(TEXT_MAX).optional(),
  region: z.string().trim().max(TEXT_MAX).optional(),
  bucket: z.string().trim().max(TEXT_MAX).optional(),
  /** Put before every key. */
  prefix: z.string().trim().max(TEXT_MAX).optional(),
  accessKeyId: z.string().trim().max(TEXT_MAX).optional(),
  /** Bucket in the path instead of the host name. */
  pathStyle: z.boolean().optional(),
  /** Whether the service honours If-None-Match on writes. */
  conditionalWrites: z.boolean().optional(),
  /** MiB of a part; left out, uploads choose it. */
  sliceMb: z.number().optional(),
})
export type StorageSettings = z.infer<typeof settings>

const storage = z.object({
  id: z.int(),
  name: z.string(),
  kind: z.string(),
  /** Where it is; no secret is part of this. */
  place: z.string(),
  spaceIds: z.array(z.int()),
  /** Spaces whose new places are made on it. */
  defaultOf: z.array(z.int()),
  /** Accounts and groups that keep files on it, by space. */
  places: z.int(),
  /** Of the last look; null: never. */
  checkedAt: z.int().nullable(),
  /** Name of the error of that look; '' when all was well. */
  error: z.string(),
})
export type AdminStorage = z.infer<typeof storage>

const cleaningRule = z.strictObject({ basis: z.enum(CLEANING_BASES), days: z.literal(CLEANING_DAYS) })
export type AdminCleaningRule = z.infer<typeof cleaningRule>
const cleaningState = z.object({
  basis: z.enum(CLEANING_BASES),
  days: z.int(),
  /** A round is under way, or begins within seconds. */
  isBusy: z.boolean(),
  /** The last round that ended; `skipped` were in use or could not be moved. */
  last: z.object({ at: z.int(), files: z.int(), bytes: z.number(), skipped: z.int() }).nullable(),
})
export type AdminCleaningState = z.infer<typeof cleaningState>
const cleaningPreview = z.object({
  files: z.int(),
  bytes: z.number(),
  /** Of the first files; empty for those who may not see people's folders. */
  first: z.array(
    z.object({
      keeper: z.string(),
      path: z.string(),
      size: z.number(),
      modifiedAt: z.int(),
    }),
  ),
  /** False when there was no time to look at everything. */
  isComplete: z.boolean(),
  /** Unix milliseconds; nothing goes before. 0: at once. */
  from: z.int(),
})
export type AdminCleaningPreview = z.infer<typeof cleaningPreview>

const detail = storage.extend({
  settings,
  hasSecret: z.boolean(),
  createdAt: z.int(),
  revision,
  spaces: z.array(z.object({ id: z.int(), name: z.string() })),
  /** Some of those who keep files on it. */
  keepers: z.array(z.object({ kind: z.enum(['account', 'group']), name: z.string() })),
  /** When old files go to the recycle bin; null: never. */
  cleaning: cleaningState.nullable(),
  /** Of the disk; null where a storage reports none. */
  room: z.object({ freeBytes: z.number(), totalBytes: z.number() }).nullable(),
})
export type AdminStorageDetail = z.infer<typeof detail>

/** The secret of a key, a connection string (azure) or the file of credentials of a service account (gcs). */
const secret = z.string().max(SECRET_MAX).optional()
const newStorage = z.strictObject({
  name: z.string().trim().min(1).max(64, inputCode('NAME_TOO_LONG')),
  kind: z.enum(STORAGE_KINDS),
  settings,
  secret,
  /** New places of the first space, and of spaces without storages of their own, are made on it. */
  isDefault: z.boolean().default(false),
})
export type NewAdminStorage = z.infer<typeof newStorage>
const storageChange = z.strictObject({
  revision,
  name: newStorage.shape.name.optional(),
  settings: settings.optional(),
  /** Left out, the one that is known stays. */
  secret,
  isDefault: z.literal(true).optional(),
})
export type AdminStorageChange = z.infer<typeof storageChange>
const triedStorage = z.strictObject({
  /** Of the storage that is being edited: its secret serves where none is given. */
  storageId: z.int().min(1).optional(),
  kind: z.enum(STORAGE_KINDS),
  settings,
  secret,
})
export type TriedAdminStorage = z.infer<typeof triedStorage>

/** What was proved, in order, with the milliseconds of each step. */
const proof = z.object({ steps: z.array(z.object({ step: z.enum(STORAGE_PROBE_STEPS), ms: z.int() })) })
export type StorageProof = z.infer<typeof proof>

const storageId = z.object({ storageId: z.coerce.number().int().min(1) })

/** What may be wrong with a storage; `data.step` names the step of the test that failed. */
const FAULTS = [
  'STORAGE_CONNECTION_FAILED',
  'STORAGE_CREDENTIALS_WRONG',
  'STORAGE_BUCKET_NOT_FOUND',
  'STORAGE_ENDPOINT_INVALID',
  'STORAGE_PERMISSION',
  'STORAGE_PATH_INVALID',
  'STORAGE_SLICE_SIZE_INVALID',
  'STORAGE_NOT_OURS',
  'STORAGE_THROTTLED',
  'STORAGE_FULL',
  'STORAGE_READ_ONLY',
  'SUPER_ADMIN_ONLY',
  'VALUE_REQUIRED',
] as const

export const adminStorageRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/admin/storages',
    summary: 'All storages as they stand',
    access: { right: 'storages.view' },
    reply: z.object({ storages: z.array(storage) }),
    errors: [],
  }),
  get: defineRoute({
    method: 'GET',
    path: '/api/admin/storages/:storageId',
    summary: 'One storage with its settings, without its secret',
    access: { right: 'storages.view' },
    params: storageId,
    reply: z.object({ storage: detail }),
    errors: ['STORAGE_NOT_FOUND'],
  }),
  add: defineRoute({
    method: 'POST',
    path: '/api/admin/storages',
    summary: 'Add a storage once it has proved to work; folders of the server by the super administrator alone',
    access: { right: 'storages.edit' },
    log: 'storage.add',
    body: newStorage,
    reply: z.object({ storage: detail }),
    errors: ['STORAGE_NAME_INVALID', 'STORAGE_NAME_DUPLICATE', 'STORAGE_IN_USE', ...FAULTS],
  }),
  edit: defineRoute({
    method: 'PATCH',
    path: '/api/admin/storages/:storageId',
    summary: 'Change a storage once it has proved to work with the new settings',
    access: { right: 'storages.edit' },
    log: 'storage.edit',
    params: storageId,
    body: storageChange,
    reply: z.object({ storage: detail }),
    errors: ['STORAGE_NOT_FOUND', 'STORAGE_NAME_INVALID', 'STORAGE_NAME_DUPLICATE', 'EDIT_CONFLICT', ...FAULTS],
  }),
  remove: defineRoute({
    method: 'POST',
    path: '/api/admin/storages/remove',
    summary: 'Forget a storage that nobody keeps files on; what is on it stays there',
    access: { right: 'storages.edit' },
    log: 'storage.remove',
    body: z.strictObject({ storageId: z.int().min(1) }),
    reply: z.object({}),
    errors: ['STORAGE_NOT_FOUND', 'STORAGE_DEFAULT_UNDELETABLE', 'STORAGE_IN_USE'],
  }),
  tryOut: defineRoute({
    method: 'POST',
    path: '/api/admin/storages/try',
    summary: 'Test settings before they are saved: list, write, read, multipart, delete, within 10 seconds',
    access: { right: 'storages.edit' },
    log: 'storage.try',
    body: triedStorage,
    reply: proof,
    errors: ['STORAGE_NOT_FOUND', ...FAULTS],
  }),
  test: defineRoute({
    method: 'POST',
    path: '/api/admin/storages/:storageId/test',
    summary: 'Test a storage as it is: list, write, read, multipart, delete, within 10 seconds',
    access: { right: 'storages.test' },
    log: 'storage.test',
    params: storageId,
    reply: proof,
    errors: ['STORAGE_NOT_FOUND', ...FAULTS],
  }),
  setCleaning: defineRoute({
    method: 'PUT',
    path: '/api/admin/storages/:storageId/cleaning',
    summary:
      'Say from which age on files of a storage go to the recycle bin of their owners; the first round begins within seconds',
    access: { right: 'storages.edit' },
    log: 'storage.clean',
    params: storageId,
    body: z.strictObject({ rule: cleaningRule.nullable() }),
    reply: z.object({ storage: detail }),
    errors: ['STORAGE_NOT_FOUND'],
  }),
  previewCleaning: defineRoute({
    method: 'POST',
    path: '/api/admin/storages/:storageId/cleaning/preview',
    summary: 'Count what has the age of a rule, with the first names, and change nothing',
    access: { right: 'storages.edit' },
    log: 'storage.clean-preview',
    params: storageId,
    body: cleaningRule,
    reply: cleaningPreview,
    errors: ['STORAGE_NOT_FOUND', 'STORAGE_UNREACHABLE'],
  }),
  cleanNow: defineRoute({
    method: 'POST',
    path: '/api/admin/storages/:storageId/cleaning/run',
    summary: 'Clean a storage within seconds instead of at its time',
    access: { right: 'storages.edit' },
    log: 'storage.clean-now',
    params: storageId,
    reply: z.object({}),
    errors: ['STORAGE_NOT_FOUND', 'STORAGE_NOT_CLEANED'],
  }),
}
