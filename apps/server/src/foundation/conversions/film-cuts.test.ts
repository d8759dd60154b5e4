import { MiB } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { createCutFinder, parsedCuts, type FilmCuts } from './film-cuts.ts'

interface Frame {
  readonly shown: number | 'N/A'
  readonly decoded: number | 'N/A'
  readonly flags: string
  readonly bytes: number
}

/** Frames of a tenth of a second, in order, with a key frame at each of the times. */
function frames(
  seconds: number,
  keys: readonly number[],
  change: (at: number) => Partial<Frame> = () => ({}),
): Frame[] {
  return Array.from({ length: seconds * 10 }, (_, at) => {
    const time = at / 10
    return { shown: time, decoded: time, flags: keys.includes(time) ? 'K__' : '___', bytes: 1000, ...change(at) }
  })
}

function cut(film: readonly Frame[], isInOrder = false, length: number | 'N/A' = 0.1): FilmCuts | undefined {
  const finder = createCutFinder({ isInOrder })
  for (const { shown, decoded, bytes, flags } of film) finder.add(`${shown},${decoded},${length},${bytes},${flags}`)
  // MPEG-TS has empty lines, and a comma at the end of the others.
  finder.add('')
  return finder.found()
}

const KEYS = [0, 1, 4.5, 8, 12] as const

describe('the cuts of a film', () => {
  it('are at the first key frame from four seconds on, and the last piece goes to the end', () => {
    expect(cut(frames(15, KEYS))).toEqual({
      begins: [0, 4.5, 12],
      frames: [45, 75, 30],
      ends: 15,
      bitsPerSecond: 80_000,
    })
  })
  it('are the same after they were written down', () => {
    const found = cut(frames(15, KEYS))
    expect(parsedCuts(JSON.stringify(found))).toEqual(found)
  })
  it('are found where frames are reordered, and where the first have no time of decoding', () => {
    // Stored as I P B: the B is shown before the P, each two frames after it could be decoded.
    const reordered = frames(9, [0, 6], (at) => {
      const isStill = at % 60 === 0
      const shown = (isStill ? at : at % 2 === 1 ? at + 1 : at - 1) / 10
      return { shown: shown + 0.2, decoded: at < 2 ? 'N/A' : at / 10 }
    }).filter((_, at) => at % 60 !== 59)
    expect(cut(reordered)).toMatchObject({ begins: [0.2, 6.2], frames: [59, 30] })
  })
  it('are found without times of showing only where frames are in order', () => {
    const untimed = frames(9, [0, 6], () => ({ shown: 'N/A' }))
    expect(cut(untimed, true)).toMatchObject({ begins: [0, 6] })
    expect(cut(untimed, false)).toBeUndefined()
  })
  it('end a frame after the last one where it does not say how long it is shown', () => {
    expect(cut(frames(9, [0, 6]), false, 'N/A')?.ends).toBeCloseTo(9, 1)
  })
  it.each<readonly [string, readonly Frame[]]>([
    ['no frame', []],
    ['no key frame at the beginning', frames(9, [1, 6])],
    ['key frames far apart', frames(45, [0, 21, 42])],
    ['no key frame near the end', frames(27, [0, 6])],
    ['segments that are too large', frames(9, [0, 6], () => ({ bytes: MiB }))],
    ['a frame shown before the key frame that it needs', frames(9, [0, 6], (at) => (at === 61 ? { shown: 5.95 } : {}))],
    ['a key frame shown before what comes first', frames(9, [0, 6], (at) => (at === 59 ? { shown: 6.05 } : {}))],
    ['a frame twice', frames(9, [0, 6], (at) => (at === 30 ? { decoded: 2.9 } : {}))],
    ['a time of decoding that is missing', frames(9, [0, 6], (at) => (at === 30 ? { decoded: 'N/A' } : {}))],
    ['a frame decoded after it is shown', frames(9, [0, 6], (at) => (at === 30 ? { shown: 2.95 } : {}))],
    ['a long gap', frames(19, [0, 6], (at) => (at > 30 ? { shown: at / 10 + 6, decoded: at / 10 + 6 } : {}))],
    ['a damaged frame', frames(9, [0, 6], (at) => (at === 30 ? { flags: '_C_' } : {}))],
    ['a frame that an edit list hides', frames(9, [0, 6], (at) => (at === 0 ? { flags: 'KD_' } : {}))],
    [
      'an endless length',
      Array.from({ length: 10_802 }, (_, at) => ({ shown: 4 * at, decoded: 4 * at, flags: 'K__', bytes: 1 })),
    ],
  ])('are none with %s', (_name, film) => expect(cut(film)).toBeUndefined())
  it('are none where a line is something else', () => {
    const finder = createCutFinder({ isInOrder: true })
    finder.add('0,0,0.1,1000,K__')
    expect(finder.found()).toBeDefined()
    finder.add('moov atom not found')
    expect(finder.found()).toBeUndefined()
  })
})
