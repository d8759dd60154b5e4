/** What a file is by its first bytes. Only these types ever leave the server as something that a browser draws by itself. */
export interface Media {
  /** `none`: the format is known, and nothing here draws it. */
  readonly view: 'image' | 'video' | 'audio' | 'pdf' | 'archive' | 'none'
  readonly type: string
}

const ascii = (head: Uint8Array, start: number, end: number): string =>
  String.fromCharCode(...head.subarray(start, Math.min(end, head.length)))

function begins(head: Uint8Array, ...bytes: readonly number[]): boolean {
  return head.length >= bytes.length && bytes.every((byte, at) => head[at] === byte)
}

const image = (type: string): Media => ({ view: 'image', type })
const video = (type: string): Media => ({ view: 'video', type })
const audio = (type: string): Media => ({ view: 'audio', type })
const archive = (type: string): Media => ({ view: 'archive', type })
const none = (type: string): Media => ({ view: 'none', type })

/**
 * The type of binary content by its signature; its name is not asked.
 * @param head the first bytes, at least 4 KiB of them when the file has as many
 * @returns undefined when no signature fits: text, or something unknown
 */
export function mediaOf(head: Uint8Array): Media | undefined {
  return imageOf(head) ?? containerOf(head) ?? soundOf(head) ?? documentOf(head)
}

function imageOf(head: Uint8Array): Media | undefined {
  if (begins(head, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return image('image/png')
  if (begins(head, 0xff, 0xd8, 0xff)) return image('image/jpeg')
  if (/^GIF8[79]a/.test(ascii(head, 0, 6))) return image('image/gif')
  // Two letters begin many a text; the reserved fields of the header do not.
  if (ascii(head, 0, 2) === 'BM' && head.length >= 30 && begins(head.subarray(6), 0, 0, 0, 0)) return image('image/bmp')
  if (begins(head, 0, 0, 1, 0) && (head[4] ?? 0) > 0 && head[5] === 0) return image('image/x-icon')
  if (begins(head, 0x49, 0x49, 0x2a, 0) || begins(head, 0x4d, 0x4d, 0, 0x2a)) return image('image/tiff')
  if (ascii(head, 0, 4) === '8BPS') return none('image/vnd.adobe.photoshop')
  return undefined
}

/** RIFF, Matroska, MPEG and the ISO base media format carry pictures as well as films and sound. */
function containerOf(head: Uint8Array): Media | undefined {
  if (ascii(head, 0, 4) === 'RIFF') return riffOf(ascii(head, 8, 12))
  if (ascii(head, 4, 8) === 'ftyp') return isoMediaOf(ascii(head, 8, 12))
  if (begins(head, 0x1a, 0x45, 0xdf, 0xa3)) {
    return ascii(head, 0, 64).includes('webm') ? video('video/webm') : video('video/x-matroska')
  }
  if (begins(head, 0, 0, 1, 0xba) || begins(head, 0, 0, 1, 0xb3)) return none('video/mpeg')
  if (begins(head, 0x30, 0x26, 0xb2, 0x75)) return none('video/x-ms-asf')
  if (begins(head, 0x06, 0x0e, 0x2b, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0d, 0x01, 0x02)) return none('application/mxf')
  if (isTransportStream(head)) return none('video/mp2t')
  return undefined
}

/** Packets of 188 bytes, each of which begins with the same byte. */
function isTransportStream(head: Uint8Array): boolean {
  return head.length >= 4 * 188 && [0, 1, 2, 3].every((packet) => head[packet * 188] === 0x47)
}

function riffOf(form: string): Media | undefined {
  if (form === 'WEBP') return image('image/webp')
  if (form === 'WAVE') return audio('audio/wav')
  return form === 'AVI ' ? none('video/x-msvideo') : undefined
}

function isoMediaOf(brand: string): Media {
  if (brand === 'avif' || brand === 'avis') return image('image/avif')
  if (/^(?:hei[cxms]|hev[cmsx]|mif1|msf1)$/.test(brand)) return image('image/heic')
  if (brand === 'crx ') return none('image/x-canon-cr3')
  if (/^M4[AB] $/.test(brand)) return audio('audio/mp4')
  return brand === 'qt  ' ? video('video/quicktime') : video('video/mp4')
}

function soundOf(head: Uint8Array): Media | undefined {
  if (/^FORM....AIF[FC]/s.test(ascii(head, 0, 12))) return none('audio/x-aiff')
  if (ascii(head, 0, 4) === 'fLaC') return audio('audio/flac')
  if (ascii(head, 0, 4) === 'OggS') {
    return /theora|video/.test(ascii(head, 0, 256)) ? video('video/ogg') : audio('audio/ogg')
  }
  if (ascii(head, 0, 3) === 'ID3') return audio('audio/mpeg')
  // Frame sync of MPEG audio: version and layer tell MP3 from ADTS.
  if (head[0] !== 0xff || head.length < 4) return undefined
  const [, second = 0, third = 0] = head
  if ((second & 0xf6) === 0xf0) return audio('audio/aac')
  const isMp3 = (second & 0xe6) === 0xe2 && (third & 0xf0) !== 0xf0 && (third & 0x0c) !== 0x0c
  return isMp3 ? audio('audio/mpeg') : undefined
}

/** A PDF may begin with up to a kilobyte of anything (PDF 32000-1, appendix H.3.4.1). */
function documentOf(head: Uint8Array): Media | undefined {
  if (ascii(head, 0, 1024).includes('%PDF-')) return { view: 'pdf', type: 'application/pdf' }
  if (begins(head, 0x50, 0x4b, 0x03, 0x04) || begins(head, 0x50, 0x4b, 0x05, 0x06)) return archive('application/zip')
  if (isTar(head)) return archive('application/x-tar')
  if (begins(head, 0x1f, 0x8b)) return none('application/gzip')
  if (begins(head, 0xd0, 0xcf, 0x11, 0xe0)) return none('application/x-ole-storage')
  if (/^AC10\d\d/.test(ascii(head, 0, 6))) return none('image/vnd.dwg')
  return undefined
}

/** The magic of POSIX and GNU tar, behind the fields of the first header. */
function isTar(head: Uint8Array): boolean {
  return ascii(head, 257, 262) === 'ustar'
}
