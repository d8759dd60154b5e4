import type { SafePath } from './paths.ts'

export type EntryKind = 'file' | 'directory' | 'link'

/** One file, folder or symbolic link of a transfer. Its number is its position in the manifest, counted from 0. */
export interface ManifestEntry {
  readonly kind: EntryKind
  readonly path: SafePath
  /** Where a link leads, as it is stored in the link. Chosen by the peer and not checked. Only for links. */
  readonly linkTarget?: string
  /** Bytes; 0 for a folder or link. */
  readonly size: number
  /** Unix time in whole milliseconds. */
  readonly mtimeMs: number
  /** Permission bits, 0 to 0o777. Set-id and sticky bits never travel. */
  readonly mode: number
}
