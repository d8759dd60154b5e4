import { StorageError } from './errors.ts'

/** The store's own folder. It may exist on every filesystem that is mounted below the root, and is never shown or reached by key. */
export const HIDDEN_FOLDER = '.godwit'

/** ext4, xfs, btrfs, NTFS and S3 clients all support names of 255 bytes. */
const MAX_NAME_BYTES = 255
/** PATH_MAX is 4,096 with its final zero; the rest is reserved for the root's own path. S3 itself allows 1,024. */
const MAX_KEY_BYTES = 3_584

/** Whether the name is reserved, so that no key may contain it. In any case, because some filesystems ignore case. */
export function isHiddenName(name: string): boolean {
  return name.toLowerCase() === HIDDEN_FOLDER
}

/**
 * The second line of defence behind `content/files`: refuses any key that could leave the root or reach the hidden folder.
 * @param key '' is the root folder
 * @throws StorageError 'invalid-key'
 */
export function checkKey(key: string): void {
  if (key === '') return
  if (!isValidKey(key)) throw new StorageError('invalid-key', { key })
}

/** As checkKey, but the root is not allowed: for everything that names an entry. */
export function checkEntryKey(key: string): void {
  if (key === '') throw new StorageError('invalid-key', { key })
  checkKey(key)
}

function isValidKey(key: string): boolean {
  // A lone surrogate would be stored as U+FFFD and so reach another file than the one that was named.
  if (!key.isWellFormed() || byteLength(key) > MAX_KEY_BYTES) return false
  return key.split('/').every(isValidName)
}

/** Most names: printable ASCII without slashes, no dot in front. Skips the checks below, a million times in a big folder. */
const PLAIN = /^[ -\-0-[\]-~][ -.0-[\]-~]{0,199}$/

/**
 * Whether an entry with this name can have a key. A backslash separates folders on some systems and in some clients, so no
 * name may hold one.
 */
export function isValidName(name: string): boolean {
  if (PLAIN.test(name)) return true
  if (name === '' || name === '.' || name === '..' || /[/\\\0]/u.test(name)) return false
  return name.isWellFormed() && !isHiddenName(name) && byteLength(name) <= MAX_NAME_BYTES
}

/** Folder of a key; '' for entries of the root. */
export function folderOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf('/')))
}

/** Own name of a key. */
export function nameOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1)
}

export function joinKey(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

/** Whether `key` is `folder` itself or lies below it. */
export function isWithin(key: string, folder: string): boolean {
  return folder === '' || key === folder || key.startsWith(`${folder}/`)
}

function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}
