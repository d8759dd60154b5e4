import type { AdminStorageChange, AdminStorageDetail, NewAdminStorage, StorageSettings } from '@godwit/contract'
import type { StorageKind } from '@godwit/contract/foundation/storage-types'

/** A switch of a form that is on. */
const ON = 'on'

export type StorageField =
  | 'kind'
  | 'name'
  | 'folder'
  | 'endpoint'
  | 'region'
  | 'bucket'
  | 'container'
  | 'prefix'
  | 'accessKeyId'
  | 'secret'
  | 'connection'
  | 'credentials'
  | 'pathStyle'
  | 'conditionalWrites'
  | 'slice'
  | 'isDefault'
export type StorageValues = Readonly<Record<StorageField, string>>

export const NEW_STORAGE: StorageValues = {
  ...{ kind: 's3', name: '', folder: '', endpoint: '', region: '', bucket: '', container: '', prefix: '' },
  ...{ connection: '', credentials: '' },
  ...{ accessKeyId: '', secret: '', pathStyle: '', conditionalWrites: ON, slice: '', isDefault: '' },
}

/** Default of the first space, which serves spaces without storages of their own too. */
const FIRST_SPACE = 1

export function valuesOf({ kind, name, settings, defaultOf }: AdminStorageDetail): StorageValues {
  const { folder = '', endpoint = '', region = '', bucket = '', prefix = '', accessKeyId = '' } = settings
  return {
    ...{ kind, name, folder, endpoint, region, bucket, container: bucket, prefix, accessKeyId },
    ...{ secret: '', connection: '', credentials: '' },
    pathStyle: settings.pathStyle === true ? ON : '',
    conditionalWrites: settings.conditionalWrites === false ? '' : ON,
    slice: settings.sliceMb === undefined ? '' : String(settings.sliceMb),
    isDefault: defaultOf.includes(FIRST_SPACE) ? ON : '',
  }
}

/** What the kind takes of the values. */
export function settingsOf(values: StorageValues): StorageSettings {
  if (values.kind === 'local') return { folder: values.folder.trim() }
  if (values.kind === 'azure' || values.kind === 'gcs') return serviceSettingsOf(values)
  const [bucket, prefix] = [values.bucket.trim(), values.prefix.trim().replaceAll(/^\/+|\/+$/g, '')]
  const place = { region: values.region.trim(), bucket, prefix, accessKeyId: values.accessKeyId.trim() }
  const slice = values.slice.trim() === '' ? {} : { sliceMb: Number(values.slice) }
  if (values.kind === 's3') return { ...place, ...slice }
  const endpoint = values.endpoint.trim()
  if (values.kind === 'oss') return { ...place, ...slice, endpoint }
  const switches = { pathStyle: values.pathStyle === ON, conditionalWrites: values.conditionalWrites === ON }
  return { ...place, ...slice, ...switches, endpoint }
}

/** Address and account come with the secret; what is known of them goes back as it came. */
function serviceSettingsOf(values: StorageValues): StorageSettings {
  const { kind, endpoint, accessKeyId } = values
  const slice = values.slice.trim() === '' ? {} : { sliceMb: Number(values.slice) }
  return {
    bucket: (kind === 'azure' ? values.container : values.bucket).trim(),
    prefix: values.prefix.trim().replaceAll(/^\/+|\/+$/g, ''),
    ...(endpoint === '' ? {} : { endpoint }),
    ...(accessKeyId === '' ? {} : { accessKeyId }),
    ...slice,
  }
}

/** Nothing for a secret that was not typed: the known one stays. */
export function secretOf(values: StorageValues): { readonly secret?: string } {
  const { kind } = values
  const secret = kind === 'azure' ? values.connection : kind === 'gcs' ? values.credentials : values.secret
  return kind === 'local' || secret === '' ? {} : { secret }
}

export function newStorageOf(values: StorageValues): NewAdminStorage {
  const { name, isDefault } = values
  const kind = values.kind as StorageKind
  return { name: name.trim(), kind, settings: settingsOf(values), ...secretOf(values), isDefault: isDefault === ON }
}

/** The fields that differ from how the storage was loaded; its settings go together. */
export function storageChangeOf(values: StorageValues, base: StorageValues, revision: number): AdminStorageChange {
  const settings = settingsOf(values)
  const isSame = JSON.stringify(settings) === JSON.stringify(settingsOf(base))
  return {
    revision,
    ...(values.name === base.name ? {} : { name: values.name.trim() }),
    ...(isSame ? {} : { settings }),
    ...secretOf(values),
    ...(values.isDefault === ON && base.isDefault !== ON ? { isDefault: true as const } : {}),
  }
}
