import { accessSync, constants } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'

/** `text`: the office program, given plain text in UTF-8. */
export type ConverterName = 'office' | 'text' | 'cad'

/** A program that makes a PDF of a file, or a picture of a film. */
export interface Converter {
  /** Absolute path. */
  readonly program: string
  /** @param from, to names in the folder where it starts */
  args(from: string, to: string): readonly string[]
  /** Puts into its home what it needs before it starts. */
  prepare?(folder: string): Promise<void>
}

/** Where LibreOffice may be. */
const OFFICE_PLACES = [
  ...['/usr/local/bin', '/usr/bin', '/usr/lib/libreoffice/program', '/usr/lib64/libreoffice/program'],
  '/opt/libreoffice/program',
]

/** @param said a path; `auto`: it is looked for; `off` or nothing: there is none */
export function officeConverter(said: string, places: readonly string[] = OFFICE_PLACES): Converter | undefined {
  if (said === 'off' || said === '') return undefined
  const program = said === 'auto' ? findProgram('soffice', places) : said
  if (program === undefined) return undefined
  return {
    program,
    args: (from, to) => [
      ...['--headless', '--norestore', '--nolockcheck', '--nodefault', '--nofirststartwizard'],
      // Tables are UTF-8 unless they say otherwise: 44 is the comma, 9 the tab, 34 the quote.
      ...(/\.[ct]sv$/.test(from) ? [`--infilter=CSV:${from.endsWith('.csv') ? 44 : 9},34,UTF8`] : []),
      // Whatever the text says: it is never read as a page or a document.
      ...(from.endsWith('.txt') ? ['--infilter=Text (encoded):UTF8'] : []),
      ...['--convert-to', 'pdf', '--outdir', path.dirname(to), from],
    ],
    prepare: writeProfile,
  }
}

/** @param command a program and its arguments, with {in} and {out} in the place of the files; nothing: there is none */
export function cadConverter(command: string): Converter | undefined {
  const [program = '', ...words] = command.trim().split(/\s+/)
  if (program === '') return undefined
  return {
    program,
    args: (from, to) => words.map((word) => word.replaceAll('{in}', from).replaceAll('{out}', to)),
  }
}

/** What a film is read as, by its media type. Nothing else is ever guessed: playlists, which name other files, are no films. */
const DEMUXERS = {
  'video/mp4': 'mov',
  'video/quicktime': 'mov',
  'video/webm': 'matroska',
  'video/x-matroska': 'matroska',
  'video/x-msvideo': 'avi',
  'video/x-ms-asf': 'asf',
  'video/mpeg': 'mpeg',
  'video/ogg': 'ogg',
  'video/mp2t': 'mpegts',
  'application/mxf': 'mxf',
} as const
/** The same of sound. */
const SOUND_DEMUXERS = {
  'audio/mp4': 'mov',
  'audio/x-aiff': 'aiff',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
} as const
export type FilmFormat = (typeof DEMUXERS)[keyof typeof DEMUXERS]
export type SoundFormat = (typeof SOUND_DEMUXERS)[keyof typeof SOUND_DEMUXERS]

/** @returns undefined for what is no film */
export function filmFormat(mediaType: string): FilmFormat | undefined {
  return new Map<string, FilmFormat>(Object.entries(DEMUXERS)).get(mediaType)
}

/** What a film or sound is read as that is made playable. @returns undefined for what is neither */
export function mediaFormat(mediaType: string): FilmFormat | SoundFormat | undefined {
  return filmFormat(mediaType) ?? new Map<string, SoundFormat>(Object.entries(SOUND_DEMUXERS)).get(mediaType)
}

const VIDEO_PLACES = ['/usr/local/bin', '/usr/bin', '/opt/ffmpeg/bin']
/** Pixels of the longer edge of a poster. */
const POSTER_EDGE = 1024
/** Of these first frames the one that looks most like the others: a film often begins with black. */
const POSTER_FRAMES = 60

/** @param said a path of ffmpeg; `auto`: it is looked for; `off` or nothing: there is none */
function videoProgram(said: string, places: readonly string[] = VIDEO_PLACES): string | undefined {
  if (said === 'off' || said === '') return undefined
  return said === 'auto' ? findProgram('ffmpeg', places) : said
}

/** FFmpeg with the program that looks into a film, which comes along. @param said as of {@link videoProgram} */
export function filmPrograms(
  said: string,
  places: readonly string[] = VIDEO_PLACES,
): { readonly ffmpeg: string; readonly ffprobe: string } | undefined {
  const ffmpeg = videoProgram(said, places)
  if (ffmpeg === undefined) return undefined
  const ffprobe = path.join(path.dirname(ffmpeg), 'ffprobe')
  return isProgram(ffmpeg) && isProgram(ffprobe) ? { ffmpeg, ffprobe } : undefined
}

/** @param said as of {@link videoProgram} */
export function videoConverter(said: string, places: readonly string[] = VIDEO_PLACES): Converter | undefined {
  const program = videoProgram(said, places)
  if (program === undefined) return undefined
  // Smaller first: frames are held until one is chosen.
  const size = `w=min(${POSTER_EDGE}\\,iw):h=min(${POSTER_EDGE}\\,ih):force_original_aspect_ratio=decrease`
  return {
    program,
    args: (from, to) => [
      ...['-nostdin', '-hide_banner', '-v', 'error', '-threads', '2'],
      ...['-protocol_whitelist', 'file', '-f', path.extname(from).slice(1), '-i', from],
      ...['-map', '0:V:0', '-frames:v', '1', '-vf', `scale=${size},thumbnail=${POSTER_FRAMES}`],
      ...['-pix_fmt', 'yuvj420p', '-c:v', 'mjpeg', '-q:v', '3', '-f', 'image2', '-update', '1', to],
    ],
  }
}

function findProgram(name: string, folders: readonly string[]): string | undefined {
  return folders.map((folder) => path.join(folder, name)).find(isProgram)
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false // Not there, or not ours to run.
  }
}

/**
 * Of LibreOffice: macros and other active content stay off whatever a document or its signature says, and links to other files are
 * never followed. The rest is as it comes; each conversion has a profile of its own.
 */
const PROFILE = [
  ['/org.openoffice.Office.Common/Security/Scripting', 'DisableMacrosExecution', 'true'],
  ['/org.openoffice.Office.Common/Security/Scripting', 'MacroSecurityLevel', '3'],
  ['/org.openoffice.Office.Common/Security/Scripting', 'DisableActiveContent', 'true'],
  ['/org.openoffice.Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', 'true'],
  ['/org.openoffice.Office.Writer/Content/Update', 'Link', '0'],
  ['/org.openoffice.Office.Calc/Content/Update', 'Link', '2'],
] as const

async function writeProfile(folder: string): Promise<void> {
  const user = path.join(folder, '.config/libreoffice/4/user')
  await fs.mkdir(user, { recursive: true, mode: 0o700 })
  const items = PROFILE.map(
    ([place, name, value]) =>
      `<item oor:path="${place}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  )
  const begin =
    '<?xml version="1.0" encoding="UTF-8"?>\n<oor:items xmlns:oor="http://openoffice.org/2001/registry" ' +
    'xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
  await fs.writeFile(path.join(user, 'registrymodifications.xcu'), `${begin}${items.join('')}</oor:items>\n`)
}
