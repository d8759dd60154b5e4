import { MiB } from '@godwit/base'
import { z } from 'zod'

/** Seconds of a segment. */
export const SEGMENT_SECONDS = 4
/** A playlist names every segment. */
const MAX_SECONDS = 12 * 3_600
/** 8K: what a frame takes in memory, and a decoder several times. */
export const MAX_FRAME_PIXELS = 8_192 * 4_320
/** Bits a second that a browser is given as they are; more stutters on a usual line. */
const MAX_DIRECT_BITS = 24_000_000
const MAX_FRAME_RATE = 60

/** Sizes that films are made in: the shorter edge, and what a second of it takes at most. */
export const RENDITIONS = {
  low: { edge: 720, bits: 3_000_000 },
  high: { edge: 1080, bits: 6_000_000 },
} as const
export type Rendition = keyof typeof RENDITIONS
/** `copy`: the stream of the file, cut at its key frames and not encoded. */
export type FilmStream = Rendition | 'copy'

export interface FrameSize {
  readonly width: number
  readonly height: number
}

/** How a film or sound can be played. */
export interface FilmPlan {
  /** Browsers play it as it is. */
  readonly isDirect: boolean
  readonly seconds: number
  /** Undefined for sound alone. */
  readonly picture?: FrameSize & { readonly isFast: boolean }
  readonly hasSound: boolean
  /** The picture is H.264 that browsers decode as it is. */
  readonly copy?: CopyPlan
}

/** What has to be known to send a stream without encoding it. */
export interface CopyPlan {
  /** As playlists name it (RFC 6381). */
  readonly codec: string
  /** Whether the sound is AAC that stays as it is, too. */
  readonly isSoundCopied: boolean
  /** Frames are shown in the order in which they are stored. */
  readonly isInOrder: boolean
  /** The time with which the file begins. */
  readonly begins: number
}

const number = z.coerce.number().catch(0)
const word = z.string().catch('')
const stream = z.object({
  codec_type: word,
  codec_name: word,
  profile: word,
  level: number,
  pix_fmt: word,
  field_order: word,
  has_b_frames: z.coerce.number().catch(-1),
  channels: number,
  width: number,
  height: number,
  sample_aspect_ratio: word,
  avg_frame_rate: word,
  duration: number,
  disposition: z.object({ attached_pic: number }).catch({ attached_pic: 0 }),
  side_data_list: z.array(z.object({ rotation: number })).catch([]),
})
type Stream = z.output<typeof stream>
const probe = z.object({
  streams: z.array(stream).catch([]),
  format: z
    .object({ start_time: number, duration: number, bit_rate: number })
    .catch({ start_time: 0, duration: 0, bit_rate: 0 }),
})

/** What the probe is asked for. */
export const PROBED = [
  'format=start_time,duration,bit_rate',
  'stream=codec_type,codec_name,profile,level,pix_fmt,field_order,has_b_frames,channels,width,height,sample_aspect_ratio,avg_frame_rate,duration',
  'stream_disposition=attached_pic',
  'stream_side_data=rotation',
].join(':')

/**
 * @param said what the probe wrote
 * @returns undefined for what cannot be played: no stream, no known length or an endless one, frames larger than memory
 */
export function planOf(said: string): FilmPlan | undefined {
  const { streams, format } = probe.parse(JSON.parse(said))
  const picture = streams.find(
    ({ codec_type: type, disposition }) => type === 'video' && disposition.attached_pic === 0,
  )
  const sound = streams.find(({ codec_type: type }) => type === 'audio')
  const seconds = picture?.duration || sound?.duration || format.duration
  if (!(seconds > 0 && seconds <= MAX_SECONDS)) return undefined
  const bits = format.bit_rate
  if (picture === undefined) {
    if (sound === undefined) return undefined
    return { isDirect: PLAYED_SOUND.has(sound.codec_name), seconds, hasSound: true }
  }
  const size = shownSize(picture)
  if (size === undefined) return undefined
  const isDirect =
    isPlayed(picture) && (sound === undefined || PLAYED_SOUND.has(sound.codec_name)) && bits <= MAX_DIRECT_BITS
  const isFast = rateOf(picture.avg_frame_rate) > MAX_FRAME_RATE
  const codec = isFast || bits > MAX_DIRECT_BITS ? undefined : copiedCodec(picture)
  const copy =
    codec === undefined
      ? undefined
      : {
          ...{ codec, isSoundCopied: sound !== undefined && isCopiedSound(sound) },
          ...{ isInOrder: picture.has_b_frames === 0, begins: format.start_time },
        }
  return {
    ...{ isDirect, seconds, picture: { ...size, isFast }, hasSound: sound !== undefined },
    ...(copy === undefined ? {} : { copy }),
  }
}

/** Profile and constraints of H.264, the first two bytes of a codec's name. */
const COPIED_PROFILES = new Map([
  ['Constrained Baseline', '42e0'],
  ['Baseline', '4200'],
  ['Main', '4d40'],
  ['High', '6400'],
])
/** 4K at 60 frames a second. */
const MAX_LEVEL = 52

/**
 * Only frames that are whole, with square pixels and upright, need nothing that MPEG-TS does not carry.
 * @returns undefined for what has to be encoded
 */
function copiedCodec(picture: Stream): string | undefined {
  const { codec_name: codec, profile, level, field_order: order, sample_aspect_ratio: ratio } = picture
  const numbers = COPIED_PROFILES.get(profile)
  const isUpright = picture.side_data_list.every(({ rotation }) => rotation === 0)
  const isSquare = ['', 'N/A', '0:1', '1:1'].includes(ratio)
  if (codec !== 'h264' || numbers === undefined || !isPlayed(picture) || !isUpright || !isSquare) return undefined
  if (order !== 'progressive' || !(level >= 10 && level <= MAX_LEVEL)) return undefined
  return `avc1.${numbers}${level.toString(16).padStart(2, '0')}`
}

/** More channels, and AAC of other profiles, do not play everywhere. */
function isCopiedSound({ codec_name: codec, profile, channels }: Stream): boolean {
  return codec === 'aac' && profile === 'LC' && (channels === 1 || channels === 2)
}

const PLAYED_SOUND: ReadonlySet<string> = new Set([
  ...['aac', 'mp3', 'opus', 'vorbis', 'flac'],
  ...['pcm_u8', 'pcm_s16le', 'pcm_s24le', 'pcm_f32le'],
])
const PLAYED_PICTURE: ReadonlySet<string> = new Set(['vp8', 'vp9', 'av1'])

/** H.264 comes in forms for studios, too, that no browser decodes. */
function isPlayed({ codec_name: codec, pix_fmt: pixels }: Stream): boolean {
  return PLAYED_PICTURE.has(codec) || (codec === 'h264' && /^yuvj?420p$/.test(pixels))
}

/** As it is to be seen: pixels square, upright. @returns undefined for frames that are none or too large */
function shownSize({
  width,
  height,
  sample_aspect_ratio: ratio,
  side_data_list: sides,
}: Stream): FrameSize | undefined {
  if (!(width > 0 && height > 0 && width * height <= MAX_FRAME_PIXELS)) return undefined
  const aspect = rateOf(ratio.replace(':', '/'))
  const wide = Math.max(1, Math.round(width * (aspect > 0.1 && aspect < 10 ? aspect : 1)))
  const isTurned = sides.some(({ rotation }) => Math.abs(rotation) % 180 === 90)
  return isTurned ? { width: height, height: wide } : { width: wide, height }
}

/** @param fraction as the probe writes it: `24000/1001` */
function rateOf(fraction: string): number {
  const [over, under] = fraction.split('/').map(Number)
  return over !== undefined && under !== undefined && under > 0 ? over / under : 0
}

/** The same shape, no larger than the rendition: H.264 takes even edges alone. */
export function renderedSize({ width, height }: FrameSize, rendition: Rendition): FrameSize {
  const { edge } = RENDITIONS[rendition]
  const scale = Math.min(1, edge / Math.min(width, height), (edge * 16) / 9 / Math.max(width, height))
  const even = (length: number): number => Math.max(16, 2 * Math.round((length * scale) / 2))
  return { width: even(width), height: even(height) }
}

/** Those worth offering: none is larger than the film. */
export function renditionsOf({ picture }: FilmPlan): readonly Rendition[] {
  if (picture === undefined) return ['low']
  const low = renderedSize(picture, 'low')
  return renderedSize(picture, 'high').width > low.width ? ['low', 'high'] : ['low']
}

/** A last piece shorter than this may have no frame of its own, and belongs to the one before. */
const LEAST_SECONDS = 0.25

/** Where segments begin and how long each is, in seconds; known before any is made. */
export function segmentsOf(seconds: number): readonly number[] {
  const count = Math.max(1, Math.ceil((seconds - LEAST_SECONDS) / SEGMENT_SECONDS))
  return Array.from({ length: count }, (_, at) =>
    at < count - 1 ? SEGMENT_SECONDS : seconds - SEGMENT_SECONDS * (count - 1),
  )
}

/** Bytes that a segment takes at most; far more than its rate allows. */
export const MAX_SEGMENT_BYTES = 16 * MiB
