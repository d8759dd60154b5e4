/** The picture that a camera put into its raw file. */
export interface RawPreview {
  readonly start: number
  readonly end: number
  /** EXIF orientation of the raw file, 1 to 8. */
  readonly orientation: number
}

const TAG = {
  compression: 0x103,
  photometric: 0x106,
  stripOffsets: 0x111,
  orientation: 0x112,
  stripByteCounts: 0x117,
  tileOffsets: 0x144,
  subIfds: 0x14a,
  jpegOffset: 0x201,
  jpegLength: 0x202,
  cfaPattern: 0x828e,
  dngVersion: 0xc612,
} as const

/** Photometric interpretations of sensor data: color filter array, and linear raw (DNG 1.7, chapter 4). */
const SENSOR = new Set([32_803, 34_892])
/** Bytes of a value by its type (TIFF 6.0, page 15); others are passed over. */
const TYPE_BYTES: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 13: 4 }
/** Directories that are looked at. Cameras write fewer than ten; a file may name any number, also in a circle. */
const MAX_DIRECTORIES = 64
const MAX_ENTRIES = 512
const MAX_VALUES = 64

type Directory = ReadonlyMap<number, readonly number[]>

/**
 * Finds the largest baseline or progressive JPEG that a raw file of TIFF structure holds: CR2, NEF, ARW, DNG, PEF, ORF alike.
 * Any bytes may be given: nothing is allocated by what they say.
 * @returns undefined for other files, and for TIFF pictures, which are no raw files
 */
export function rawPreview(file: Uint8Array): RawPreview | undefined {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const isLittle = byteOrder(view)
  if (isLittle === undefined) return undefined
  const directories = readDirectories(view, isLittle)
  const isCr2 = view.byteLength >= 10 && view.getUint16(8) === 0x4352
  if (!isCr2 && !directories.some(isRaw)) return undefined
  const [orientation = 1] = directories[0]?.get(TAG.orientation) ?? []
  let best: (RawPreview & { readonly pixels: number }) | undefined
  for (const directory of directories) {
    for (const [start, length] of embedded(directory)) {
      const end = start + length
      if (length < 4 || end > file.length) continue
      const pixels = jpegPixels(view, start, end)
      if (pixels > (best?.pixels ?? 0)) best = { start, end, pixels, orientation: sane(orientation) }
    }
  }
  return best === undefined ? undefined : { start: best.start, end: best.end, orientation: best.orientation }
}

function sane(orientation: number): number {
  return orientation >= 1 && orientation <= 8 ? orientation : 1
}

function byteOrder(view: DataView): boolean | undefined {
  if (view.byteLength < 8) return undefined
  const isLittle = view.getUint16(0) === 0x4949
  if (!isLittle && view.getUint16(0) !== 0x4d4d) return undefined
  return view.getUint16(2, isLittle) === 42 ? isLittle : undefined
}

function readDirectories(view: DataView, isLittle: boolean): Directory[] {
  const found: Directory[] = []
  const seen = new Set<number>()
  const waiting = [view.getUint32(4, isLittle)]
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    if (seen.has(at) || seen.size >= MAX_DIRECTORIES) continue
    seen.add(at)
    const read = readDirectory(view, at, isLittle)
    if (read === undefined) continue
    found.push(read.directory)
    waiting.push(...(read.directory.get(TAG.subIfds) ?? []))
    if (read.next !== 0) waiting.push(read.next)
  }
  return found
}

function readDirectory(
  view: DataView,
  start: number,
  isLittle: boolean,
): { readonly directory: Directory; readonly next: number } | undefined {
  if (start + 2 > view.byteLength) return undefined
  const count = view.getUint16(start, isLittle)
  if (count > MAX_ENTRIES || start + 2 + count * 12 > view.byteLength) return undefined
  const directory = new Map<number, readonly number[]>()
  for (let at = start + 2; at < start + 2 + count * 12; at += 12) {
    directory.set(view.getUint16(at, isLittle), readValues(view, at, isLittle))
  }
  const end = start + 2 + count * 12
  return { directory, next: end + 4 <= view.byteLength ? view.getUint32(end, isLittle) : 0 }
}

function readValues(view: DataView, entry: number, isLittle: boolean): readonly number[] {
  const type = view.getUint16(entry + 2, isLittle)
  const count = view.getUint32(entry + 4, isLittle)
  const size = TYPE_BYTES[type]
  if (size === undefined || count > MAX_VALUES) return []
  // Four bytes stand in the entry itself, more of them elsewhere.
  const at = size * count <= 4 ? entry + 8 : view.getUint32(entry + 8, isLittle)
  if (at + size * count > view.byteLength) return []
  return Array.from({ length: count }, (_, index) => readNumber(view, at + index * size, size, isLittle))
}

function readNumber(view: DataView, at: number, size: number, isLittle: boolean): number {
  if (size === 1) return view.getUint8(at)
  return size === 2 ? view.getUint16(at, isLittle) : view.getUint32(at, isLittle)
}

function isRaw(directory: Directory): boolean {
  const [photometric = -1] = directory.get(TAG.photometric) ?? []
  return SENSOR.has(photometric) || directory.has(TAG.cfaPattern) || directory.has(TAG.dngVersion)
}

/** Start and length of what a directory says is one JPEG. */
function* embedded(directory: Directory): Generator<readonly [start: number, length: number]> {
  const one = (tag: number): number | undefined => directory.get(tag)?.[0]
  const [start, length] = [one(TAG.jpegOffset), one(TAG.jpegLength)]
  if (start !== undefined && length !== undefined) yield [start, length]
  const strips = directory.get(TAG.stripOffsets) ?? []
  const [compression = 0] = directory.get(TAG.compression) ?? []
  const [strip] = strips
  const stripLength = one(TAG.stripByteCounts)
  // Old-style and new-style JPEG (TIFF 6.0, section 22; technical note 2); a single strip is a whole file.
  const isJpeg = compression === 6 || compression === 7
  if (isJpeg && strips.length === 1 && strip !== undefined && stripLength !== undefined) yield [strip, stripLength]
}

/** Pixels of a JPEG that decoders know; 0 for others, above all for lossless ones, which hold what the sensor saw. */
function jpegPixels(view: DataView, start: number, end: number): number {
  if (view.getUint16(start) !== 0xffd8) return 0
  let at = start + 2
  while (at + 9 <= end && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return marker <= 0xc2 ? view.getUint16(at + 5) * view.getUint16(at + 7) : 0
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2)
  }
  return 0
}
