import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { MiB, seededRandom, systemClock } from '@godwit/base'
import { afterAll, beforeAll } from 'vitest'
import { createDecoder, type Decoder } from '../decoder.ts'
import { createPictureCache } from '../picture-cache.ts'
import { createPictures, type Pictures, type PictureSource } from '../pictures.ts'

export const log = { info: () => undefined, error: () => undefined, warn: () => undefined }
export const never = new AbortController().signal

/** Pictures of one decoder for a whole file of cases, kept in a folder that goes with them. */
export function pictureSite() {
  let folder: string
  let decoder: Decoder
  let pictures: Pictures

  function open(one: Decoder): Pictures {
    const cache = createPictureCache({
      ...{ folder, log, clock: systemClock, random: seededRandom(1) },
      limitBytes: async () => 100 * MiB,
    })
    return createPictures({ cache, decoders: [one] })
  }

  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-pictures-'))
    decoder = createDecoder({ log })
    pictures = open(decoder)
  })
  afterAll(() => {
    decoder.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  })

  return {
    get folder(): string {
      return folder
    },
    get pictures(): Pictures {
      return pictures
    },
    /** Pictures of another decoder, in the same folder. */
    open,
  }
}

/** A source of this content, owned by mei unless something else is given. */
export function sourceOf(content: Uint8Array, given: Partial<PictureSource> = {}): PictureSource {
  const identity = JSON.stringify([
    content.length,
    Buffer.from(content.subarray(0, 4_096)).toString('hex'),
    given.owner,
  ])
  return {
    ...{ identity, bytes: content.length, owner: 'mei' },
    isPicture: () => Promise.resolve(true),
    async *read() {
      for (let at = 0; at < content.length; at += MiB) yield content.subarray(at, at + MiB)
    },
    ...given,
  }
}
