import { createHash } from 'node:crypto'
import { AppError } from '../../kernel/errors.ts'
import { untilAborted } from '../../kernel/until-aborted.ts'
import type { Decoder } from './decoder.ts'
import type { Mark } from './picture-request.ts'
import { MAX_INPUT_BYTES, type Edge } from './limits.ts'
import type { PictureCache } from './picture-cache.ts'
import { PictureFault } from '../decoding/index.ts'
import { createTurns } from './turns.ts'

/** A file that may be a picture. */
export interface PictureSource {
  /** Names this content of this file: any other content has another name. */
  readonly identity: string
  readonly bytes: number
  /** Whose turn it is: pictures are made for everybody in turn. */
  readonly owner: string
  /** Whether it is worth a decoder's time, by its first bytes. */
  readonly isPicture: (signal: AbortSignal) => Promise<boolean>
  /** A page of a document is wanted instead, counted from 1; 0: their description, as JSON. The identity tells pages apart. */
  readonly page?: number
  /** Names the content of the document, whatever is burnt in and whichever page is wanted. */
  readonly document?: string
  /** Burnt in; the identity tells pictures with it from those with another. */
  readonly mark?: Mark
  /** Opened when it is its turn. */
  readonly read: (signal: AbortSignal) => AsyncIterable<Uint8Array>
}

export interface Picture {
  /** WebP; JSON for page 0. */
  readonly content: Uint8Array
  /** Of this picture of this content. */
  readonly etag: string
}

/** Makes pictures that every browser draws from files that may be anything. */
export interface Pictures {
  /** The name that {@link Picture.etag} will have. */
  etagOf(source: Pick<PictureSource, 'identity'>, edge: Edge): string
  /**
   * The picture of a file, upright and without metadata, its longer edge at most `edge` pixels.
   * @throws AppError PREVIEW_UNSUPPORTED for what is none or asks too much, SERVER_BUSY, what reading throws; the signal's reason
   */
  make(source: PictureSource, edge: Edge, signal: AbortSignal): Promise<Picture>
}

/** Part of each name, so that pictures of an older decoder are not found. */
const VERSION = 1
/** Several who want the same picture at the same time. */
interface Making {
  readonly picture: Promise<Picture>
  readonly stop: AbortController
  waiting: number
}

export interface PicturesDeps {
  readonly cache: PictureCache
  /** Each decodes one at a time. */
  readonly decoders: readonly Decoder[]
}

export function createPictures({ cache, decoders }: PicturesDeps): Pictures {
  const turns = createTurns(decoders)
  const making = new Map<string, Making>()

  async function decode(source: PictureSource, edge: Edge, signal: AbortSignal): Promise<Uint8Array> {
    const { owner, identity: _identity, isPicture: _isPicture, ...rest } = source
    try {
      return await turns.decode(owner, { ...rest, edge, signal })
    } catch (thrown) {
      if (thrown instanceof PictureFault) return new Uint8Array()
      throw thrown
    }
  }

  async function makeNew(key: string, source: PictureSource, edge: Edge, signal: AbortSignal): Promise<Picture> {
    const kept = await cache.get(key)
    if (kept !== undefined) return drawn(key, kept)
    if (source.bytes === 0 || source.bytes > MAX_INPUT_BYTES) throw new AppError('PREVIEW_UNSUPPORTED')
    const content = (await source.isPicture(signal)) ? await decode(source, edge, signal) : new Uint8Array()
    await cache.put(key, content)
    return drawn(key, content)
  }

  return {
    etagOf: (source, edge) => keyOf(source.identity, edge),
    async make(source, edge, signal) {
      const key = keyOf(source.identity, edge)
      const one = making.get(key) ?? begin(key, (stop) => makeNew(key, source, edge, stop))
      one.waiting++
      try {
        return await untilAborted(one.picture, signal)
      } finally {
        one.waiting--
        // Nobody waits for it any more.
        if (one.waiting === 0) one.stop.abort(new Error('nobody waits for this picture'))
      }
    },
  }

  function begin(key: string, work: (signal: AbortSignal) => Promise<Picture>): Making {
    const stop = new AbortController()
    const forget = (): void => void (making.get(key) === one && making.delete(key))
    stop.signal.addEventListener('abort', forget)
    const one: Making = { picture: work(stop.signal).finally(forget), stop, waiting: 0 }
    // Its waiters may all have gone away.
    one.picture.catch(() => undefined)
    making.set(key, one)
    return one
  }
}

/** An empty picture is kept for a file that has none. @throws AppError PREVIEW_UNSUPPORTED */
function drawn(etag: string, content: Uint8Array): Picture {
  if (content.length === 0) throw new AppError('PREVIEW_UNSUPPORTED')
  return { content, etag }
}

function keyOf(identity: string, edge: Edge): string {
  return createHash('sha256').update(`${VERSION}\0${edge}\0${identity}`).digest('hex').slice(0, 40)
}
