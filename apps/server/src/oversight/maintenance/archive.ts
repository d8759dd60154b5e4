/** Last entry of an archive: what it must hold, so that a cut-off archive is recognised. */
export interface BackupManifest {
  readonly format: 'godwit-backup-1'
  /** Newest migration of the database inside. */
  readonly migration: string
  readonly createdAt: number
  /** SHA-256 of every entry, by its name in the archive. */
  readonly entries: Readonly<Record<string, { readonly size: number; readonly sha256: string }>>
}

export const MANIFEST_ENTRY = 'manifest.json'
export const DATABASE_PREFIX = 'database/'
/** Images of the site, in archives of versions that kept them as files. */
export const BRANDING_PREFIX = 'branding/'
/** Opens the sealed secrets of the database: second factors, mail passwords, keys of buckets. */
export const KEY_ENTRY = 'keys/secrets.key'

const FIRST_FILES = 'files/'

/** Where an archive has the files of a storage. */
export function filesPrefix(storageId: number): string {
  return storageId === 1 ? FIRST_FILES : `storages/${storageId}/`
}

/** @returns undefined for an entry that is no file or folder of a storage */
export function fileEntry(name: string): { readonly storageId: number; readonly key: string } | undefined {
  if (name.startsWith(FIRST_FILES)) return { storageId: 1, key: name.slice(FIRST_FILES.length) }
  const [, id, key] = /^storages\/(\d+)\/(.*)$/s.exec(name) ?? []
  return id === undefined || key === undefined ? undefined : { storageId: Number(id), key }
}
