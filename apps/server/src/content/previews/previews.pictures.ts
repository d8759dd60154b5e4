import { create as contentDisposition } from 'content-disposition'
import type { Edge, Pictures } from '../../foundation/pictures/index.ts'
import { storageError, withAppErrors } from '../../foundation/storages/index.ts'
import type { RawExchange } from '../../kernel/endpoint.ts'
import { nameOf, type Found } from '../access/index.ts'
import { cutWhenStalled, matchesEtag, SAFE_HEADERS } from '../downloads/index.ts'
import type { FilesDeps } from '../files/index.ts'
import { lookAt } from './previews.look.ts'

export interface PicturesOfFilesDeps {
  readonly pictures: Pictures
  readonly files: Pick<FilesDeps, 'storages'>
}

export interface WantedPicture {
  readonly found: Found
  readonly edge: Edge
  /** Whose turn at the decoder it takes. */
  readonly owner: string
}

/**
 * Answers with a picture that is made of a file, or with 304 where the caller has it.
 * @throws AppError PREVIEW_UNSUPPORTED, SERVER_BUSY, and as storageError() makes them
 */
export async function sendPicture(
  deps: PicturesOfFilesDeps,
  wanted: WantedPicture,
  { req, res, signal }: Pick<RawExchange, 'req' | 'res'> & { readonly signal: AbortSignal },
): Promise<void> {
  const { found, edge } = wanted
  cutWhenStalled(res)
  const source = sourceOf(deps, wanted)
  const etag = `"${deps.pictures.etagOf(source, edge)}"`
  const headers = {
    ...SAFE_HEADERS,
    etag,
    'content-type': 'image/webp',
    'content-disposition': contentDisposition(`${nameOf(found.location)}.webp`),
  }
  if (matchesEtag(req.headers['if-none-match'], etag)) {
    res.writeHead(304, headers).end()
    return
  }
  const { content } = await deps.pictures.make(source, edge, signal)
  res.writeHead(200, { ...headers, 'content-length': content.length })
  res.end(req.method === 'HEAD' ? undefined : content)
}

function sourceOf({ files }: PicturesOfFilesDeps, { found, owner }: WantedPicture) {
  const { location, entry } = found
  return {
    // Content that changes has another tag, and so has another file that takes the name.
    identity: JSON.stringify([files.storages.idOf(location.store), entry.key, entry.etag, entry.size]),
    bytes: entry.size,
    owner,
    isPicture: async (signal: AbortSignal) => (await lookAt(found, signal)).view === 'image',
    read: (signal: AbortSignal) => bytesOf(found, signal),
  }
}

async function* bytesOf({ location }: Found, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = await withAppErrors(() => location.store.openRead(location.key))
  try {
    yield* reader.stream({}, signal)
  } catch (thrown) {
    throw storageError(thrown)
  } finally {
    await reader.close()
  }
}
