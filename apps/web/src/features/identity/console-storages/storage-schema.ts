import { STORAGE_KINDS, STORAGE_SLICE_MB, type StorageKind } from '@godwit/contract/foundation/storage-types'
import type { Texts } from '../../../lib/texts.tsx'
import type { Field, FormSchema } from '../../../ui/form/index.ts'
import type { StorageField, StorageValues } from './storage-values.ts'

/** Characters of a name; the server has the rule. */
const NAME_MAX = 32

export interface StorageSchemaOptions {
  readonly texts: Texts
  /** A new storage needs its kind and its secret. */
  readonly isNew: boolean
  /** Folders of the server are the super administrator's. */
  readonly mayUseFolders: boolean
  /** One that is the default stays it until another one is. */
  readonly isDefault: boolean
}

const exact = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, translate: 'no' } as const
const isLocal = ({ kind }: StorageValues): boolean => kind === 'local'
const isAws = ({ kind }: StorageValues): boolean => kind === 's3'
const isAzure = ({ kind }: StorageValues): boolean => kind === 'azure'
const isGoogle = ({ kind }: StorageValues): boolean => kind === 'gcs'
/** Address, region and key are fields of their own. */
const isS3 = (values: StorageValues): boolean => !isLocal(values) && !isAzure(values) && !isGoogle(values)
const isFree = ({ kind }: StorageValues): boolean => kind === 's3-compatible'

/** Every field of a storage; a kind shows its own. */
export function storageSchema(options: StorageSchemaOptions): FormSchema<StorageField> {
  return { ...generalFields(options), ...bucketFields(options), ...serviceFields(options), ...lastFields(options) }
}

function generalFields({ texts, isNew, mayUseFolders }: StorageSchemaOptions) {
  const kinds = STORAGE_KINDS.filter((kind) => mayUseFolders || kind !== 'local')
  return {
    kind: {
      kind: 'select',
      label: texts('storages.kind'),
      hint: ({ kind }) => texts(`storages.kind.${kind as StorageKind}.hint`),
      isHidden: () => !isNew,
      choices: kinds.map((value) => ({ value, label: texts(`storages.kind.${value}`) })),
    },
    name: {
      kind: 'text',
      label: texts('storages.name'),
      hint: texts('storages.name.hint'),
      isRequired: true,
      errors: ['STORAGE_NAME_INVALID', 'STORAGE_NAME_DUPLICATE'],
      wire: 'name',
      maxLength: NAME_MAX,
      autoComplete: 'off',
    },
    folder: {
      kind: 'text',
      label: texts('storages.folder'),
      hint: texts('storages.folder.hint'),
      isHidden: (values) => !isLocal(values),
      isRequired: true,
      errors: ['STORAGE_PATH_INVALID', 'STORAGE_NOT_OURS', 'STORAGE_IN_USE', 'STORAGE_CONNECTION_FAILED', ...DISK],
      wire: 'folder',
      ...exact,
    },
  } satisfies Partial<Record<StorageField, Field<StorageField>>>
}

const DISK = ['STORAGE_PERMISSION', 'STORAGE_READ_ONLY', 'STORAGE_FULL', 'SUPER_ADMIN_ONLY'] as const

/** One entry a field: a list, and nothing to split. */
function bucketFields({ texts, isNew }: StorageSchemaOptions) {
  return {
    endpoint: {
      kind: 'text',
      label: texts('storages.endpoint'),
      hint: ({ kind }) => texts(kind === 'oss' ? 'storages.endpoint.oss' : 'storages.endpoint.hint'),
      isHidden: (values) => !isS3(values) || isAws(values),
      isRequired: true,
      rule: (value) => (/^https?:\/\/[^\s/]+/i.test(value.trim()) ? undefined : texts('storages.endpoint.invalid')),
      errors: ['STORAGE_CONNECTION_FAILED', 'STORAGE_ENDPOINT_INVALID', 'STORAGE_THROTTLED'],
      wire: 'endpoint',
      ...exact,
    },
    region: {
      kind: 'text',
      label: texts('storages.region'),
      hint: ({ kind }) => texts(kind === 'oss' ? 'storages.region.oss' : 'storages.region.hint'),
      isHidden: (values) => !isS3(values),
      isRequired: true,
      errors: ['STORAGE_ENDPOINT_INVALID', 'STORAGE_CONNECTION_FAILED'],
      wire: 'region',
      ...exact,
    },
    bucket: {
      kind: 'text',
      label: texts('storages.bucket'),
      isHidden: (values) => isLocal(values) || isAzure(values),
      isRequired: true,
      errors: ['STORAGE_BUCKET_NOT_FOUND', 'STORAGE_NOT_OURS', 'STORAGE_IN_USE', 'STORAGE_FULL'],
      wire: 'bucket',
      ...exact,
    },
    container: {
      kind: 'text',
      label: texts('storages.container'),
      isHidden: (values) => !isAzure(values),
      isRequired: true,
      errors: ['STORAGE_BUCKET_NOT_FOUND', 'STORAGE_NOT_OURS', 'STORAGE_IN_USE', 'STORAGE_FULL'],
      wire: 'bucket',
      ...exact,
    },
    prefix: {
      kind: 'text',
      label: texts('storages.prefix'),
      hint: texts('storages.prefix.hint'),
      isHidden: isLocal,
      errors: ['STORAGE_PATH_INVALID'],
      wire: 'prefix',
      ...exact,
    },
    accessKeyId: {
      kind: 'text',
      label: texts('storages.access-key'),
      isHidden: (values) => !isS3(values),
      isRequired: true,
      errors: ['STORAGE_PERMISSION'],
      wire: 'accessKeyId',
      ...exact,
    },
    secret: {
      kind: 'password',
      label: texts('storages.secret'),
      hint: texts(isNew ? 'storages.secret.hint' : 'storages.secret.kept'),
      isHidden: (values) => !isS3(values),
      isRequired: isNew,
      errors: ['STORAGE_CREDENTIALS_WRONG'],
      wire: 'secret',
      autoComplete: 'new-password',
    },
  } satisfies Partial<Record<StorageField, Field<StorageField>>>
}

/** Services whose secret says where they are. */
function serviceFields({ texts, isNew }: StorageSchemaOptions) {
  return {
    connection: {
      kind: 'password',
      label: texts('storages.connection'),
      hint: texts(isNew ? 'storages.connection.hint' : 'storages.secret.kept'),
      isHidden: (values) => !isAzure(values),
      isRequired: isNew,
      errors: ['STORAGE_CREDENTIALS_WRONG', 'STORAGE_CONNECTION_FAILED', 'STORAGE_PERMISSION'],
      wire: 'secret',
      autoComplete: 'off',
    },
    credentials: {
      kind: 'password',
      label: texts('storages.credentials'),
      hint: texts(isNew ? 'storages.credentials.hint' : 'storages.secret.kept'),
      isHidden: (values) => !isGoogle(values),
      isRequired: isNew,
      errors: ['STORAGE_CREDENTIALS_WRONG', 'STORAGE_CONNECTION_FAILED', 'STORAGE_PERMISSION'],
      wire: 'secret',
      autoComplete: 'off',
    },
  } satisfies Partial<Record<StorageField, Field<StorageField>>>
}

function lastFields({ texts, isDefault }: StorageSchemaOptions) {
  const { min, max } = STORAGE_SLICE_MB
  const isSlice = (value: string): boolean =>
    /^\d{1,4}$/.test(value.trim()) && Number(value) >= min && Number(value) <= max
  return {
    pathStyle: {
      kind: 'switch',
      label: texts('storages.path-style'),
      hint: texts('storages.path-style.hint'),
      isHidden: (values) => !isFree(values),
    },
    conditionalWrites: {
      kind: 'switch',
      label: texts('storages.conditional-writes'),
      hint: texts('storages.conditional-writes.hint'),
      isHidden: (values) => !isFree(values),
    },
    slice: {
      kind: 'text',
      inputMode: 'numeric',
      label: texts('storages.slice'),
      hint: texts('storages.slice.hint', { min, max }),
      isHidden: isLocal,
      rule: (value) => (isSlice(value) ? undefined : texts('storages.slice.invalid', { min, max })),
      errors: ['STORAGE_SLICE_SIZE_INVALID'],
      autoComplete: 'off',
    },
    isDefault: {
      kind: 'switch',
      label: texts('storages.default'),
      hint: texts(isDefault ? 'storages.default.stays' : 'storages.default.hint'),
      isHidden: () => isDefault,
    },
  } satisfies Partial<Record<StorageField, Field<StorageField>>>
}
