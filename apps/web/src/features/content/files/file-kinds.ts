/** The shape that stands before a name; the word beside it is what says the kind. */
export type FileKind =
  | 'folder'
  | 'image'
  | 'video'
  | 'audio'
  | 'pdf'
  | 'document'
  | 'sheet'
  | 'slides'
  | 'archive'
  | 'code'
  | 'file'

const EXTENSIONS: Readonly<Record<Exclude<FileKind, 'folder' | 'file'>, string>> = {
  image: 'png jpg jpeg gif bmp svg ico webp avif heic heif tif tiff dng cr2 cr3 nef arw psd raw dwg',
  video: 'mp4 mov avi mpg mpeg mkv webm m4v wmv mxf',
  audio: 'mp3 wav flac aac ogg m4a wma aiff',
  pdf: 'pdf',
  document: 'doc docx odt rtf txt md tex pages',
  sheet: 'xls xlsx csv ods tsv numbers',
  slides: 'ppt pptx odp key',
  archive: 'zip tar gz tgz bz2 xz 7z rar zst iso dmg deb rpm',
  code: 'js ts tsx jsx json html css xml yaml yml py go rs java c cpp h sh sql toml ini',
}

const KINDS = new Map<string, FileKind>(
  Object.entries(EXTENSIONS).flatMap(([kind, list]) =>
    list.split(' ').map((each) => [each, kind as FileKind] as const),
  ),
)

export function fileKind(name: string, isFolder: boolean): FileKind {
  if (isFolder) return 'folder'
  const dot = name.lastIndexOf('.')
  return (dot > 0 ? KINDS.get(name.slice(dot + 1).toLowerCase()) : undefined) ?? 'file'
}
