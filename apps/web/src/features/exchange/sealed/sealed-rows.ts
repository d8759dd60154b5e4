import type { SealedFilePage } from '@godwit/contract'
import { nameOf } from '../../../lib/paths.ts'
import { type OpenedFile, openStart, SealBroken } from './open-file.ts'
import type { SecretKey } from './seal-keys.ts'

/** A file of an encrypted link, as whoever has the key sees it. */
export interface SealedRow {
  /** Its name on the server. */
  readonly stored: string
  /** Below what was chosen; the name on the server where the file does not open. */
  readonly path: string
  /** Undefined for what was not sealed for this link, or was changed since. */
  readonly file: OpenedFile | undefined
}

/** Guests who bring a file twice get a number behind its id; whatever else stands there was renamed or swapped. */
const STORED_NAME = /^([0-9a-f]{32})(?: \(\d+\))?\.gwe$/

/** Where encrypted files come from: a visit of a guest, or the owner's own folder. */
export interface SealedSource {
  readonly queryKey: readonly unknown[]
  list(cursor: string | undefined, signal: AbortSignal): Promise<SealedFilePage>
  /** A fresh address of the encrypted bytes. */
  address(stored: string): Promise<string>
}

/** @throws whatever is not a fault of the bytes */
export async function rowOf(
  { name, size, start }: SealedFilePage['items'][number],
  key: SecretKey,
): Promise<SealedRow> {
  const bytes = Uint8Array.from(atob(start), (letter) => letter.charCodeAt(0))
  try {
    const file = await openStart(key, bytes)
    if (size !== file.sealedBytes) throw new SealBroken('another size')
    if (STORED_NAME.exec(name)?.[1] !== file.id) throw new SealBroken('another name')
    return { stored: name, path: file.path, file }
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    return { stored: name, path: name, file: undefined }
  }
}

export function savedName({ path }: SealedRow): string {
  return nameOf(`/${path}`)
}
