/** How a page shows a file. `pages`: as pictures of its pages, made on the server. `none`: not at all; it gives the facts and offers the download. */
export const PREVIEW_VIEWS = [
  'image',
  'video',
  'audio',
  'pdf',
  'pages',
  'text',
  'markdown',
  'table',
  'sheet',
  'document',
  'archive',
  'none',
] as const
export type PreviewView = (typeof PREVIEW_VIEWS)[number]

/**
 * Why a file has no view: nothing draws its format; it is empty; drawing it would take more memory than it is worth; previews
 * carry a watermark here, and this format cannot; the server has no program that converts it.
 */
export const VIEWLESS_REASONS = ['format', 'empty', 'too-large', 'watermark', 'converter'] as const
export type ViewlessReason = (typeof VIEWLESS_REASONS)[number]

/** What the link of a preview answers for `page=0` when the view is `pages`. */
export interface PreviewPages {
  readonly count: number
  /** Of the first page, in points. */
  readonly width: number
  readonly height: number
}

/** What the link of a film or sound answers when the server can make it playable. */
export const FILM_STREAMS = ['plan', 'main', 'copy', 'low', 'high'] as const

/** What it answers for `stream=plan`. */
export interface PreviewFilm {
  /** Browsers play it as it is. Otherwise, and where one does not, it is played by the playlist `stream=main`. */
  readonly isDirect: boolean
  readonly seconds: number
  readonly hasPicture: boolean
}

/** Longest edges, in pixels, that thumbnails are made in. */
export const THUMBNAIL_EDGES = [256, 1024] as const
export type ThumbnailEdge = (typeof THUMBNAIL_EDGES)[number]

const PICTURE =
  /\.(?:png|apng|jpe?g|jfif|gif|webp|avif|svg|tiff?|hei[cf]|hif|dng|cr2|nef|nrw|arw|sr2|pef|srw|3fr|erf|kdc|mos|rwl)$/i

/** Whether a file may have a thumbnail, by its name. The server looks at its content. */
export function isPictureName(name: string): boolean {
  return PICTURE.test(name)
}

const FILM = /\.(?:mp4|m4v|mov|mkv|webm|avi|wmv|asf|mpe?g|vob|ogv|mxf|mts)$/i

/** Whether a file may be a film, of which a picture can be made, by its name. The server looks at its content. */
export function isFilmName(name: string): boolean {
  return FILM.test(name)
}

/** What can be previewed, by file extension. */
export const PREVIEW_TYPES = {
  cad: ['dwg', 'ocf'],
  image: ['png', 'ico', 'svg', 'jpg', 'jpeg', 'bmp', 'gif'],
  office: ['doc', 'docx', 'ppt', 'pptx', 'xls', 'xlsx', 'csv'],
  video: ['mp4', 'avi', 'mov', 'mpg'],
  pdf: ['pdf'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type PreviewKind = keyof typeof PREVIEW_TYPES

const KINDS = new Map<string, PreviewKind>(
  Object.entries(PREVIEW_TYPES).flatMap(([kind, endings]) =>
    endings.map((ending): [string, PreviewKind] => [ending, kind as PreviewKind]),
  ),
)

/** @returns undefined when files with this extension cannot be previewed */
export function previewKind(name: string): PreviewKind | undefined {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? undefined : KINDS.get(name.slice(dot + 1).toLowerCase())
}
