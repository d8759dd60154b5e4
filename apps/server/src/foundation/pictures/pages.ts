import { PDFiumLibrary } from '@hyzyla/pdfium'
import sharp, { type Sharp } from 'sharp'
import { burnIn } from './burn-in.ts'
import type { DecodeRequest } from './picture-request.ts'
import { QUALITY } from './limits.ts'
import { PictureFault } from '../decoding/index.ts'

/**
 * Pages of a PDF, drawn by PDFium in WebAssembly: it has no scripts, no forms that are filled in, and neither files nor a network
 * of its own. This module is loaded with the first document.
 */

type Library = Awaited<ReturnType<typeof PDFiumLibrary.init>>
type Document = Awaited<ReturnType<Library['loadDocument']>>

/** What a page announces of all of them. */
interface Description {
  readonly count: number
  /** Of the first page, in points. */
  readonly width: number
  readonly height: number
}

let library: Library | undefined
/** The document that pages were asked of last: the next page of it needs no reading. */
let held: { readonly name: string; readonly document: Document } | undefined

/** Gives the memory of the last document back. */
export function letGo(): void {
  held?.document.destroy()
  held = undefined
}

/**
 * A page as WebP, or the description of all as JSON for page 0.
 * @param file empty when the document is held
 * @throws PictureFault
 */
export async function drawPage(file: Uint8Array, request: DecodeRequest): Promise<Uint8Array> {
  const { document: name = '', page = 0, edge, mark } = request
  try {
    const document = await open(name, file)
    const count = document.getPageCount()
    if (page > count) throw new PictureFault('unsupported')
    if (page === 0) return new TextEncoder().encode(JSON.stringify(describe(document, count)))
    const drawn = await draw(document, page - 1, edge)
    const shown = mark === undefined ? drawn : await burnIn(drawn, mark)
    return await shown.removeAlpha().webp({ quality: QUALITY.large, effort: 2 }).toBuffer()
  } catch (thrown) {
    letGo()
    if (thrown instanceof PictureFault) throw thrown
    throw new PictureFault('unreadable', { cause: thrown })
  }
}

async function open(name: string, file: Uint8Array): Promise<Document> {
  if (held?.name === name) return held.document
  letGo()
  library ??= await PDFiumLibrary.init()
  held = { name, document: await library.loadDocument(file) }
  return held.document
}

function describe(document: Document, count: number): Description {
  if (count === 0) throw new PictureFault('unreadable')
  const { originalWidth: width, originalHeight: height } = document.getPage(0).getOriginalSize()
  return { count, width, height }
}

async function draw(document: Document, index: number, edge: number): Promise<Sharp> {
  const page = document.getPage(index)
  const { originalWidth, originalHeight } = page.getOriginalSize()
  if (!(originalWidth > 0 && originalHeight > 0)) throw new PictureFault('unreadable')
  const scale = edge / Math.max(originalWidth, originalHeight)
  const pixels = (points: number): number => Math.max(1, Math.round(points * scale))
  const size = { width: pixels(originalWidth), height: pixels(originalHeight) }
  const { data, width, height } = await page.render({ ...size, render: 'bitmap' })
  return sharp(data, { raw: { width, height, channels: 4 } })
}
