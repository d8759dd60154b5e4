import type { PreviewView, ViewlessReason } from '@godwit/contract'
import { MiB } from '@godwit/base'
import { MAX_CONVERTED_BYTES, mediaFormat, type ConverterName } from '../../foundation/conversions/index.ts'
import { MAX_DOCUMENT_BYTES, MAX_PICTURE_BYTES } from '../../foundation/pictures/index.ts'
import { imageSize } from './image-size.ts'
import { mediaOf, type Media } from './media-types.ts'
import { isSvg, isText } from '../../foundation/document-texts/index.ts'

/** How a file is shown. */
export interface View {
  readonly view: PreviewView
  readonly reason: ViewlessReason | null
  /** Media type of the content; `application/octet-stream` when it is not known. */
  readonly type: string
  /** What the bytes are sent as. Only what a browser draws without running anything has a type of its own. */
  readonly contentType: string
  /** No browser draws it: a picture is made of it, which is what is sent. */
  readonly isMade?: true
  /** A PDF is made of it first, which stands in its place. */
  readonly converter?: ConverterName
  /** It is made playable piece by piece where a browser does not play it. */
  readonly hasStream?: true
  /** Pictures are made of its pages. */
  readonly isPaged?: true
}

const BYTES = 'application/octet-stream'

/** Pixels of a picture that a browser is asked to draw: 4 bytes each, so 400 MB at most. A camera of 2026 makes 100 million. */
export const MAX_PIXELS = 100_000_000
/** A drawing is parsed as a whole before anything is seen. */
const MAX_SVG_BYTES = 10 * MiB
/** Workbooks and text documents are read as a whole before anything of them is seen. */
const MAX_BYTES = { sheet: 20 * MiB, document: 50 * MiB, archive: Infinity } as const
/** A photo of 100 million pixels without compression. */
const MAX_IMAGE_BYTES = 400 * MiB

const MARKDOWN = /\.(?:md|markdown|mdown|mkd)$/i
const TABLE = /\.(?:csv|tsv)$/i
const SHEET = /\.(?:xlsx|xlsm)$/i
const DOCUMENT = /\.(?:docx|docm|dotx)$/i
const OFFICE = /\.(?:pptx|pptm|odt|ods|odp|odg|epub)$/i
const BOOK = /\.epub$/i
/** Office documents of before 2007. */
const OLD_OFFICE = /\.(?:doc|dot|xls|xlt|ppt|pps|pot)$/i
/** A format whose signature nobody published. */
const OCF = /\.ocf$/i

/**
 * Decides by the content; the name only says how text is laid out. So nothing becomes active, or a picture, by being called so.
 * @param head the first 64 KiB, or the whole file
 */
export function viewOf(name: string, size: number, head: Uint8Array): View {
  if (size === 0) return none('empty', BYTES)
  const media = mediaOf(head)
  if (media?.view === 'archive') return archiveView(name, size, media.type)
  if (media !== undefined) return mediaView(media, size, head)
  return isText(head) ? textView(name, size, head) : none('format', BYTES)
}

function mediaView({ view, type }: Media, size: number, head: Uint8Array): View {
  switch (view) {
    case 'image':
      return isDrawable(type, size, head) ? drawnImage(type) : none('too-large', type)
    case 'video':
    case 'audio':
      return drawn(view, type)
    case 'pdf':
      return { view, reason: null, type, contentType: BYTES }
    case 'archive':
    case 'none':
      return none('format', type)
  }
}

/** Documents of office programs are zips, too. What is in those without a view of their own helps nobody. */
function archiveView(name: string, size: number, type: string): View {
  if (OFFICE.test(name)) return none('format', type)
  const view = SHEET.test(name) ? 'sheet' : DOCUMENT.test(name) ? 'document' : 'archive'
  return size > MAX_BYTES[view] ? none('too-large', type) : { view, reason: null, type, contentType: BYTES }
}

function textView(name: string, size: number, head: Uint8Array): View {
  if (/\.svg$/i.test(name) && isSvg(head)) {
    const type = 'image/svg+xml'
    return size > MAX_SVG_BYTES ? none('too-large', type) : drawn('image', type)
  }
  if (MARKDOWN.test(name)) return { view: 'markdown', reason: null, type: 'text/markdown', contentType: BYTES }
  if (TABLE.test(name)) return { view: 'table', reason: null, type: 'text/csv', contentType: BYTES }
  return { view: 'text', reason: null, type: 'text/plain', contentType: BYTES }
}

/** What the decoder reads; other pictures cannot carry a mark. */
const MARKABLE = new Set([
  ...['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml'],
  ...['image/heic', 'image/tiff'],
])

/** The program that could make a PDF of a file. */
function converterOf(name: string, { view, reason, type }: View): ConverterName | undefined {
  const isZip = type === 'application/zip'
  if (isZip && !BOOK.test(name) && (OFFICE.test(name) || SHEET.test(name) || DOCUMENT.test(name))) return 'office'
  if (type === 'application/x-ole-storage' && OLD_OFFICE.test(name)) return 'office'
  if (view === 'table') return 'office'
  if (view === 'text' || view === 'markdown') return 'text'
  const isDrawing = type === 'image/vnd.dwg' || (OCF.test(name) && reason !== 'empty')
  return isDrawing ? 'cad' : undefined
}

const UNPAGED: ReadonlySet<PreviewView> = new Set(['sheet', 'table', 'text', 'markdown'])
/** A few hundred pages. */
const MAX_TEXT_BYTES = MiB

export interface Converting {
  readonly name: string
  readonly size: number
  /** Whether all that is shown carries a mark. */
  readonly isMarked: boolean
  readonly has: (converter: ConverterName) => boolean
}

/** The same view where programs are installed that make more of it; without them the reason says so. */
export function convertedView(view: View, { name, size, isMarked, has }: Converting): View {
  const converter = converterOf(name, view)
  if (converter === undefined) return view
  if (!has(converter)) return view.reason === 'format' || OCF.test(name) ? none('converter', view.type) : view
  // Rows and columns are better read in a grid than on pages, which cut them; and text in one piece.
  if (!isMarked && UNPAGED.has(view.view)) return view
  if (size > (converter === 'text' ? MAX_TEXT_BYTES : MAX_CONVERTED_BYTES)) return none('too-large', view.type)
  return { view: 'pdf', reason: null, type: view.type, contentType: BYTES, converter }
}

/** Films that no browser plays by itself. */
const UNPLAYED: ReadonlySet<string> = new Set([
  ...['video/x-msvideo', 'video/x-ms-asf', 'video/mpeg', 'video/mp2t', 'application/mxf'],
])
const UNPLAYED_SOUND: ReadonlySet<string> = new Set(['audio/x-aiff'])

/** The same view where a program is installed that makes films and sound playable; without it the reason says so. */
export function playedView(view: View, { hasFilms }: { readonly hasFilms: boolean }): View {
  const { type } = view
  const isFilm = UNPLAYED.has(type)
  if (!hasFilms) return isFilm || UNPLAYED_SOUND.has(type) ? none('converter', type) : view
  if (isFilm || UNPLAYED_SOUND.has(type)) {
    return { view: isFilm ? 'video' : 'audio', reason: null, type, contentType: BYTES, hasStream: true }
  }
  return mediaFormat(type) !== undefined && view.view !== 'none' ? { ...view, hasStream: true } : view
}

function pagedView(view: View, size: number): View {
  if (size > MAX_DOCUMENT_BYTES) return none('too-large', view.type)
  return { ...view, view: 'pages', contentType: 'image/webp', isMade: true, isPaged: true }
}

/** The same view where all that is shown carries a mark: pictures that are made, films as they are made, or nothing. */
export function markedView(view: View, size: number): View {
  const { type } = view
  if (view.view === 'none') return view
  if (view.view === 'pdf') return pagedView(view, size)
  // Burnt into each frame as it is made.
  if (view.view === 'video' && view.hasStream) return view
  if (view.view !== 'image' || !MARKABLE.has(type)) return none('watermark', type)
  return size > MAX_PICTURE_BYTES ? none('too-large', type) : { ...view, contentType: 'image/webp', isMade: true }
}

function isDrawable(type: string, size: number, head: Uint8Array): boolean {
  const pixels = imageSize(type, head)
  if (size > (MADE.has(type) ? MAX_PICTURE_BYTES : MAX_IMAGE_BYTES)) return false
  return pixels === undefined || pixels.width * pixels.height <= MAX_PIXELS
}

/** Formats of cameras and scanners. Raw files have the structure of TIFF and show the picture that the camera put in. */
const MADE = new Set(['image/heic', 'image/tiff'])

function drawnImage(type: string): View {
  return MADE.has(type)
    ? { view: 'image', reason: null, type, contentType: 'image/webp', isMade: true }
    : drawn('image', type)
}

function drawn(view: 'image' | 'video' | 'audio', type: string): View {
  return { view, reason: null, type, contentType: type }
}

function none(reason: ViewlessReason, type: string): View {
  return { view: 'none', reason, type, contentType: BYTES }
}
