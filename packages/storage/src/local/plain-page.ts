import type { ListPage, PackedNames } from '../object-store.ts'
import type { DiskPage } from './disk.ts'

/** A page of plain names. Most of their readers never need them as strings. */
export class PlainPage implements ListPage {
  readonly plain: PackedNames
  readonly kinds: Uint8Array
  readonly leftOut = 0
  #names: readonly string[] | undefined

  constructor({ names, kinds }: NonNullable<DiskPage['plain']>) {
    this.plain = names
    this.kinds = kinds
  }

  get names(): readonly string[] {
    this.#names ??= unpacked(this.plain)
    return this.#names
  }
}

/** Of plain names alone: each byte is a character. */
function unpacked({ bytes, ends }: PackedNames): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  return Array.from(ends, (end, at) => text.slice(ends[at - 1] ?? 0, end))
}
