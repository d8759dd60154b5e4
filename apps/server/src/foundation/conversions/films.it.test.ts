import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { MiB, seededRandom, systemClock } from '@godwit/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPictureCache } from '../pictures/index.ts'
import { runCaged } from './cage.ts'
import { filmPrograms } from './converters.ts'
import { createFilmInputs } from './film-inputs.ts'
import type { PlayedFilm } from './film-runs.ts'
import { createFilms, type Films } from './films.ts'

const never = new AbortController().signal
const log = { info: () => undefined, error: () => undefined, warn: () => undefined }

let folder: string
let file: string

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-films-'))
  file = path.join(folder, 'film.mkv')
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=60']
  execFileSync('ffmpeg', ['-v', 'error', ...picture, '-c:v', 'mpeg4', '-q:v', '10', file])
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

function open(
  name: string,
  change: { readonly limitMs?: number; readonly indexMs?: number; readonly limitBytes?: number } = {},
): Films {
  const programs = filmPrograms('auto')
  if (programs === undefined) throw new Error('no ffmpeg')
  const { limitBytes = 100 * MiB, ...rest } = change
  const cache = { folder: path.join(folder, name, 'cache'), limitBytes: async () => limitBytes }
  return createFilms({
    programs,
    cache: createPictureCache({ ...cache, clock: systemClock, random: seededRandom(1), log }),
    inputs: createFilmInputs(path.join(folder, name, 'copies')),
    folder: path.join(folder, name, 'work'),
    hidden: [folder],
    ...{ random: seededRandom(2), log, ...rest },
  })
}

const working = (name: string): readonly string[] => {
  const at = path.join(folder, name, 'work')
  return fs.existsSync(at) ? fs.readdirSync(at) : []
}

/** The film on this machine, or as a storage elsewhere reads it. */
function film(kind: 'here' | 'elsewhere', change: Partial<PlayedFilm> = {}): PlayedFilm {
  const { size } = fs.statSync(file)
  return {
    ...{ identity: file, bytes: size, format: 'matroska', owner: 'mei' },
    async open() {
      const handle = await fs.promises.open(file)
      return {
        ...(kind === 'here' ? { descriptor: handle.fd } : {}),
        stream: () => handle.createReadStream({ autoClose: false }) as AsyncIterable<Uint8Array>,
        close: () => handle.close(),
      }
    },
    ...change,
  }
}

describe('films', () => {
  it('in another storage are copied once, and the copies go at the end', async () => {
    const films = open('elsewhere')
    let opened = 0
    const source = film('elsewhere')
    const counted: PlayedFilm = {
      ...source,
      async open(signal) {
        opened++
        return source.open(signal)
      },
    }
    expect(await films.plan(counted, never)).toMatchObject({ isDirect: false, seconds: 60 })
    const far = await films.segment(counted, { rendition: 'low', index: 14 }, never)
    expect(far[0]).toBe(0x47)
    // Each use looks at the storage; the copy was written after one more.
    expect(opened).toBe(3)
    expect(fs.readdirSync(path.join(folder, 'elsewhere/copies'))).toHaveLength(1)
    await films.stop()
    expect(fs.readdirSync(path.join(folder, 'elsewhere/copies'))).toEqual([])
    await expect(films.plan(film('elsewhere', { identity: 'large', bytes: 5 * 2 ** 30 }), never)).rejects.toMatchObject(
      { code: 'PREVIEW_UNSUPPORTED' },
    )
  })

  it('cannot be changed by the program that reads them', async () => {
    const before = fs.readFileSync(file)
    const work = path.join(folder, 'attempt')
    fs.mkdirSync(work)
    await using handle = await fs.promises.open(file)
    const attempts = ['echo gone >in', 'echo gone >/proc/self/fd/0', 'rm in', `echo gone >${file}`]
    const { words } = await runCaged({
      ...{ program: '/bin/sh', args: ['-c', `${attempts.join('; ')}; cksum <in`], folder: work, hidden: [folder] },
      ...{ input: { name: 'in', descriptor: handle.fd }, limitMs: 10_000, signal: never },
      ...{ memoryBytes: 100 * MiB, fileBytes: MiB },
    })
    expect(words).toContain(execFileSync('cksum', { input: before, encoding: 'utf8' }).trim())
    expect(fs.readFileSync(file).equals(before)).toBe(true)
  })

  it('are no longer converted when nobody waits, or somebody goes elsewhere in them', async () => {
    const films = open('left')
    const gone = new AbortController()
    const left = films.segment(film('here'), { rendition: 'low', index: 0 }, gone.signal)
    await expect.poll(() => working('left').length).toBe(1)
    const [first] = working('left')
    gone.abort(new Error('the reader went away'))
    await expect(left).rejects.toThrow('the reader went away')
    await expect.poll(() => working('left')).toEqual([])
    // The run for what is watched now; the one before is over by then.
    await films.segment(film('here'), { rendition: 'low', index: 8 }, never)
    await films.segment(film('here'), { rendition: 'low', index: 14 }, never)
    expect(working('left')).not.toContain(first)
    expect(working('left').length).toBeLessThanOrEqual(1)
    await films.stop()
    await expect.poll(() => working('left')).toEqual([])
  })

  it('are made once for all who watch the same, also where nothing is kept', async () => {
    const films = open('unkept', { limitBytes: 0 })
    const wanted = { rendition: 'low', index: 14 } as const
    const [one, other] = await Promise.all(
      ['mei', 'lin'].map((owner) => films.segment(film('here', { owner }), wanted, never)),
    )
    expect(one).toBe(other)
    await films.stop()
  })

  it('are looked through once for where they can be cut, and encoded where that takes too long', async () => {
    const plain = path.join(folder, 'plain.mkv')
    const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=20']
    execFileSync('ffmpeg', ['-v', 'error', ...picture, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-g', '120', plain])
    let opened = 0
    const source = film('here', {
      identity: plain,
      async open() {
        opened++
        const handle = await fs.promises.open(plain)
        return {
          descriptor: handle.fd,
          stream: () => handle.createReadStream({ autoClose: false }) as AsyncIterable<Uint8Array>,
          close: () => handle.close(),
        }
      },
    })
    const films = open('cut')
    const owners = ['mei', 'lin', 'mei']
    const found = await Promise.all(owners.map((owner) => films.cuts({ ...source, owner }, never)))
    for (const cuts of found) expect(cuts?.begins.map(Math.round)).toEqual([0, 5, 10, 14, 19])
    const before = opened
    expect(await films.cuts(source, never)).toEqual(found[0])
    // It is kept on the disk, for a server that starts anew.
    expect(await open('cut').cuts(source, never)).toEqual(found[0])
    expect(opened).toBe(before)
    const hasty = open('hasty', { indexMs: 1 })
    expect(await hasty.cuts(source, never)).toBeUndefined()
    await expect(hasty.segment(source, { rendition: 'copy', index: 0 }, never)).rejects.toMatchObject({
      code: 'PREVIEW_UNSUPPORTED',
    })
    expect((await hasty.segment(source, { rendition: 'low', index: 0 }, never))[0]).toBe(0x47)
    await hasty.stop()
  })

  it('are given up when a run takes too long', async () => {
    const films = open('slow', { limitMs: 1 })
    await expect(films.segment(film('here'), { rendition: 'low', index: 0 }, never)).rejects.toMatchObject({
      code: 'PREVIEW_UNSUPPORTED',
    })
    await expect.poll(() => working('slow')).toEqual([])
  })
})
