import { MiB } from '@godwit/base'
import { z } from 'zod'
import { SEGMENT_SECONDS } from './film-plan.ts'

/** Where a film that is not encoded is cut: at key frames, each segment at least as long as those that are made. */
export interface FilmCuts {
  /** When each segment begins, in seconds as the file counts them. */
  readonly begins: readonly number[]
  /** Frames of each. */
  readonly frames: readonly number[]
  readonly ends: number
  /** Of the picture alone, in the segment that has the most of them. */
  readonly bitsPerSecond: number
}

const cuts = z.object({
  ...{ begins: z.array(z.number()), frames: z.array(z.number()), ends: z.number(), bitsPerSecond: z.number() },
})

/** @param text what JSON.stringify made of them */
export function parsedCuts(text: string): FilmCuts {
  return cuts.parse(JSON.parse(text))
}

/** Nobody waits longer for a place in a film. */
const MAX_SEGMENT_SECONDS = 20
/** Sound between frames further apart could get into the wrong segment. */
const MAX_GAP_SECONDS = 5
/** A segment is at most 16 MiB with its sound, and with what MPEG-TS adds. */
const MAX_PICTURE_BYTES = 13 * MiB
const MAX_SECONDS = 12 * 3_600

interface Packet {
  readonly shown: number
  /** Undefined for the first ones of some formats, which keep the times of showing alone. */
  readonly decoded: number | undefined
  readonly seconds: number
  readonly bytes: number
  readonly isKey: boolean
}

export interface CutFinder {
  /** To be called with each line of the index: `shown,decoded,seconds,bytes,flags`. */
  readonly add: (line: string) => void
  /** @returns undefined where a segment would not stand by itself, or be too long or too large: such a film is encoded */
  readonly found: () => FilmCuts | undefined
}

/**
 * Looks for the cuts in the packets of a picture, in the order in which they are stored, and keeps nothing of them but the cuts.
 * @param isInOrder frames are shown as they are stored: some formats keep no other time then
 */
export function createCutFinder({ isInOrder }: { readonly isInOrder: boolean }): CutFinder {
  const segments: Array<{ readonly begins: number; frames: number; bytes: number }> = []
  let key = Number.NEGATIVE_INFINITY
  let decoded = Number.NEGATIVE_INFINITY
  let shown = Number.NEGATIVE_INFINITY
  let ends = Number.NEGATIVE_INFINITY
  let frames = 0
  let isOdd = false

  function take(packet: Packet): void {
    const last = segments.at(-1)
    if (packet.isKey) {
      // What comes before it is also shown before it.
      if (packet.shown <= shown) isOdd = true
      key = packet.shown
      if (last === undefined || key - last.begins >= SEGMENT_SECONDS)
        segments.push({ begins: key, frames: 0, bytes: 0 })
    } else if (packet.shown <= key) isOdd = true
    if (packet.decoded === undefined ? decoded > Number.NEGATIVE_INFINITY : packet.decoded <= decoded) isOdd = true
    if (packet.decoded !== undefined) {
      if (packet.decoded > packet.shown || packet.decoded - decoded > gapAfter(decoded)) isOdd = true
      decoded = packet.decoded
    }
    frames++
    shown = Math.max(shown, packet.shown)
    ends = Math.max(ends, packet.shown + packet.seconds)
    const segment = segments.at(-1)
    if (segment === undefined) isOdd = true
    else {
      segment.frames++
      segment.bytes += packet.bytes
      if (segment.bytes > MAX_PICTURE_BYTES || ends - segment.begins > MAX_SEGMENT_SECONDS) isOdd = true
    }
  }

  return {
    add(line) {
      if (isOdd || line === '') return
      const packet = packetOf(line, isInOrder)
      if (packet === undefined) isOdd = true
      else take(packet)
    },
    found() {
      const first = segments[0]
      if (isOdd || first === undefined || ends - first.begins > MAX_SECONDS) return undefined
      // Some formats do not say how long the last frame is shown.
      if (ends === shown) ends += Math.max(0.01, (shown - first.begins) / frames)
      const begins = segments.map((segment) => segment.begins)
      const rates = segments.map(({ bytes }, at) => (8 * bytes) / ((begins[at + 1] ?? ends) - (begins[at] ?? 0)))
      const bitsPerSecond = Math.ceil(Math.max(...rates))
      return { begins, frames: segments.map((segment) => segment.frames), ends, bitsPerSecond }
    },
  }
}

function gapAfter(decoded: number): number {
  return Number.isFinite(decoded) ? MAX_GAP_SECONDS : Number.POSITIVE_INFINITY
}

/** @returns undefined for what has no time, is damaged, or is not to be shown */
function packetOf(line: string, isInOrder: boolean): Packet | undefined {
  const [pts = '', dts = '', length = '', size = '', flags = ''] = line.split(',')
  const decoded = timeOf(dts)
  const shown = timeOf(pts) ?? (isInOrder ? decoded : undefined)
  const bytes = Number(size)
  if (shown === undefined || !(bytes > 0) || /[CD]/.test(flags)) return undefined
  return { shown, decoded, seconds: timeOf(length) ?? 0, bytes, isKey: flags.startsWith('K') }
}

function timeOf(word: string): number | undefined {
  const time = word === '' ? Number.NaN : Number(word)
  return Number.isFinite(time) ? time : undefined
}
