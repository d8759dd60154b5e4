import type { SafePath } from './paths.ts'

/** One file or folder of a transfer. Its number is its position in the manifest, counted from 0. */
export interface ManifestEntry {
  readonly kind: 'file' | 'directory'
  readonly path: SafePath
  /** Bytes; 0 for a folder. */
  readonly size: number
  /** Unix time in whole milliseconds. */
  readonly mtimeMs: number
  /** Permission bits, 0 to 0o777. Set-id and sticky bits never travel. */
  readonly mode: number
}
