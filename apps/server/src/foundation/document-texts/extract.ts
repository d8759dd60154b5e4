import type { TextFormat } from './formats.ts'
import { htmlText } from './html-text.ts'
import { decodedText, isText } from './plain-text.ts'
import { foldText, prepareText } from './prepared-text.ts'
import { rtfText } from './rtf-text.ts'
import { TextFault } from './text-fault.ts'
import { termsOf } from './words.ts'
import { zipText } from './zip-text.ts'

/** What is kept of a document. */
export interface DocumentText {
  /** As prepareText() leaves it. */
  readonly text: string
  readonly terms: readonly string[]
}

/** UTF-8 has at most three bytes for a unit of a text; more is never kept. */
const PLAIN_BYTES_MAX = 3 * 1024 * 1024
const HEAD_BYTES = 64 * 1024

/**
 * The text of a file with what it is found by.
 * @param isLate whether it is time to be content with what was read
 * @throws TextFault
 */
export async function extract(file: Uint8Array, format: TextFormat, isLate: () => boolean): Promise<DocumentText> {
  const text = prepareText(await rawText(file, format, isLate))
  if (text === '') throw new TextFault('empty')
  return { text, terms: [...termsOf(foldText(text))] }
}

async function rawText(file: Uint8Array, format: TextFormat, isLate: () => boolean): Promise<string> {
  switch (format) {
    case 'plain':
      return plain(file)
    case 'html':
      return htmlText(plain(file))
    case 'rtf':
      if (!begins(file, '{\\rtf')) throw new TextFault('unsupported')
      return rtfText(file)
    case 'office':
    case 'open-document':
      // Documents with a password are no zip.
      if (!begins(file, 'PK'))
        throw new TextFault(begins(file, '\u00d0\u00cf\u0011\u00e0') ? 'protected' : 'unsupported')
      return zipText(file, format)
    case 'pdf': {
      if (!Buffer.from(file.subarray(0, 1024)).includes('%PDF-')) throw new TextFault('unsupported')
      const { pdfText } = await import('./pdf-text.ts')
      return pdfText(file, isLate)
    }
  }
}

function plain(file: Uint8Array): string {
  if (!isText(file.subarray(0, HEAD_BYTES))) throw new TextFault('unsupported')
  if (file.length <= PLAIN_BYTES_MAX) return decodedText(file)
  return decodedText(wholeCharacters(file.subarray(0, PLAIN_BYTES_MAX)))
}

/** Without a character at the end that is cut off, which would make the whole appear to be in another encoding. */
function wholeCharacters(head: Uint8Array): Uint8Array {
  // No byte of a longer character is that small, but in UTF-16.
  const blank = head.findLastIndex((byte) => byte <= 0x20)
  if (blank > head.length - HEAD_BYTES) return head.subarray(0, head.includes(0) ? blank & ~1 : blank)
  const lead = head.findLastIndex((byte) => byte >= 0xc0)
  return head.subarray(0, lead > head.length - 4 ? lead : head.length)
}

function begins(file: Uint8Array, mark: string): boolean {
  return Buffer.from(file.subarray(0, mark.length)).toString('latin1') === mark
}
