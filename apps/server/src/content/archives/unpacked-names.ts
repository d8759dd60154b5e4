import { archiveName } from '../downloads/index.ts'

/** Bit 11: the name is UTF-8. */
const UTF8_FLAG = 0x800

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true })
const LENIENT_UTF8 = new TextDecoder('utf-8')
/** What archives from Chinese Windows are named in; it holds every byte sequence of GBK. */
const GB18030 = new TextDecoder('gb18030')

/** The name of an entry as text. Without the flag most tools write UTF-8 all the same, Windows its own code page. */
export function decodedName(raw: Uint8Array, flags: number): string {
  if ((flags & UTF8_FLAG) !== 0) return LENIENT_UTF8.decode(raw)
  try {
    return STRICT_UTF8.decode(raw)
  } catch {
    return GB18030.decode(raw)
  }
}

/**
 * The names of an entry from the folder of the archive down, each of which may be created: what the rule for new names refuses
 * is replaced in them.
 * @returns undefined for a path that leads out of the folder; empty for what is none of the person's files
 */
export function unpackedNames(name: string): readonly string[] | undefined {
  const names = name.split(/[\\/]/).filter((part) => part !== '' && part !== '.')
  if (names.includes('..')) return undefined
  // macOS keeps the attributes of files in files of this folder.
  if (names[0] === '__MACOSX') return []
  return names.map((part) => archiveName(part.normalize('NFC')))
}

/** Whether the entry is a symbolic link, by the mode that Unix tools keep in its upper half. */
export function isLink({ externalFileAttributes }: { readonly externalFileAttributes: number }): boolean {
  return ((externalFileAttributes >>> 16) & 0o170_000) === 0o120_000
}
