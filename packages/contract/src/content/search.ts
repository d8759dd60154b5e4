import { z } from 'zod'
import { fileType, place, userPath } from './paths.ts'

/** Where names are looked for: in the folder alone, in it and below it, or in every place of the caller. */
export const searchScope = z.enum(['here', 'below', 'everywhere'])
export type SearchScope = z.infer<typeof searchScope>

/** What a text is looked for in: names of entries, or the words of documents. */
export const searchIn = z.enum(['names', 'contents'])
export type SearchIn = z.infer<typeof searchIn>

/** Endings of names, by what a person calls such files. Folders have none. */
export const SEARCH_ENDINGS = {
  image: 'png jpg jpeg gif bmp svg ico webp avif heic tif tiff psd raw dwg',
  video: 'mp4 mov avi mpg mpeg mkv webm m4v wmv mxf',
  audio: 'mp3 wav flac aac ogg m4a wma aiff',
  document: 'pdf doc docx odt rtf txt md tex pages xls xlsx csv ods tsv numbers ppt pptx odp key',
  archive: 'zip tar gz tgz bz2 xz 7z rar zst iso',
} as const

export const searchKind = z.enum(['folder', 'image', 'video', 'audio', 'document', 'archive'])
export type SearchKind = z.infer<typeof searchKind>

/** Characters of a text that is looked for; no name is longer. */
export const SEARCH_TEXT_MAX = 255

export const searchInput = z.strictObject({
  ...place,
  folder: userPath.default('/'),
  scope: searchScope.default('below'),
  in: searchIn.default('names'),
  /**
   * Part of a name, whatever its case. Empty: everything that the filters leave. In contents: words that a document has
   * all of, by their beginnings; Chinese text as it stands. Empty finds nothing there.
   */
  text: z.string().max(SEARCH_TEXT_MAX).default(''),
  kind: searchKind.nullish(),
  /** Bytes, both included. Folders have no size. */
  minSize: z.int().min(0).nullish(),
  maxSize: z.int().min(0).nullish(),
  /** Unix seconds of the last change, both included. */
  changedAfter: z.int().nullish(),
  changedBefore: z.int().nullish(),
  /** Opaque; from the previous reply. */
  cursor: z.string().max(2000).nullish(),
  limit: z.int().min(1).max(500).default(100),
})
export type SearchInput = z.output<typeof searchInput>

/** A piece of a document around what was found. Plain text. */
export const searchSnippet = z.object({
  text: z.string(),
  /** What was found: from where to where, in units of UTF-16, ascending and apart. */
  marks: z.array(z.object({ start: z.int(), end: z.int() })),
})
export type SearchSnippet = z.infer<typeof searchSnippet>

export const searchResult = z.object({
  spaceId: z.int(),
  groupId: z.int(),
  /** '' for personal files. */
  groupName: z.string(),
  name: z.string(),
  path: z.string(),
  file_type: fileType,
  size: z.int(),
  /** Unix seconds. */
  time: z.int(),
  /** Null for what was found by its name. */
  snippet: searchSnippet.nullable(),
})
export type SearchResult = z.infer<typeof searchResult>

export const searchReply = z.object({
  /** In no order; a reply that took its time is sent with what was found so far, perhaps nothing. */
  items: z.array(searchResult),
  /** Where to go on; null when all was looked through. */
  next: z.string().nullable(),
  /** The index of these places is still being built: names may be missing. */
  isBuilding: z.boolean(),
  /** Entries seen so far while it is being built; null where the caller may not see all of them. */
  seen: z.int().nullable(),
  /** Whether the site searches contents at all. */
  hasContents: z.boolean(),
  /** Documents of these places that are not read yet, where contents were searched; null where the caller may not know. */
  unread: z.int().nullable(),
})
export type SearchReply = z.infer<typeof searchReply>
