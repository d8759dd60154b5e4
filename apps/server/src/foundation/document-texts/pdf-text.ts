import { PDFiumLibrary } from '@hyzyla/pdfium'
import { MAX_CHARACTERS } from './prepared-text.ts'
import { TextFault } from './text-fault.ts'

/** PDFium in WebAssembly has no scripts, files or network of its own. This module is loaded with the first document. */

type Library = Awaited<ReturnType<typeof PDFiumLibrary.init>>

let library: Library | undefined

/** Pages of one document that are read. */
const MOST_PAGES = 5_000

/**
 * The words of a PDF, page by page.
 * @param isLate whether it is time to be content with what was read
 * @throws TextFault
 */
export async function pdfText(file: Uint8Array, isLate: () => boolean): Promise<string> {
  library ??= await PDFiumLibrary.init()
  const document = await library.loadDocument(file).catch((thrown: unknown) => {
    const isProtected = thrown instanceof Error && /password/i.test(thrown.message)
    throw new TextFault(isProtected ? 'protected' : 'unreadable', { cause: thrown })
  })
  try {
    const texts: string[] = []
    let characters = 0
    const count = Math.min(document.getPageCount(), MOST_PAGES)
    for (let page = 0; page < count && characters < MAX_CHARACTERS && !isLate(); page++) {
      const text = document.getPage(page).getText()
      texts.push(text)
      characters += text.length
    }
    return texts.join('\n\n')
  } catch (thrown) {
    throw new TextFault('unreadable', { cause: thrown })
  } finally {
    document.destroy()
  }
}
