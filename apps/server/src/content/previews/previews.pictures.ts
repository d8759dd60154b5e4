import { create as contentDisposition } from 'content-disposition'
import type { Edge, Pictures, PictureSource } from '../../foundation/pictures/index.ts'
import { storageError, withAppErrors } from '../../foundation/storages/index.ts'
import type { RawExchange } from '../../kernel/endpoint.ts'
import { nameOf, type Found } from '../access/index.ts'
import { cutWhenStalled, matchesEtag, SAFE_HEADERS } from '../downloads/index.ts'
import type { FilesDeps } from '../files/index.ts'
import { lookAt } from './previews.look.ts'
import type { Watermark, Watermarks } from './watermarks.ts'
import type { Viewer } from './watermarks.policy.ts'

export interface PicturesOfFilesDeps {
  readonly pictures: Pictures
  readonly files: Pick<FilesDeps, 'storages'>
  readonly watermarks: Watermarks
}

export interface WantedPicture {
  readonly found: Found
  readonly edge: Edge
  /** A page of the document instead of a picture; 0: what there is to know of them. */
  readonly page?: number | undefined
  /** Whose turn at the decoder it takes. */
  readonly owner: string
  /** Whom a watermark names. */
  readonly viewer: () => Promise<Viewer>
}

/**
 * Answers with a picture that is made of a file, or with 304 where the caller has it. Every picture of a file leaves here, and
 * so with the watermark while the site asks for one.
 * @throws AppError PREVIEW_UNSUPPORTED, SERVER_BUSY, and as storageError() makes them
 */
export async function sendPicture(
  deps: PicturesOfFilesDeps,
  wanted: WantedPicture,
  { req, res, signal }: Pick<RawExchange, 'req' | 'res'> & { readonly signal: AbortSignal },
): Promise<void> {
  const { found, edge, page } = wanted
  cutWhenStalled(res)
  const source = sourceOf(deps, wanted, await deps.watermarks.for(wanted.viewer))
  const etag = `"${deps.pictures.etagOf(source, edge)}"`
  const headers = {
    ...SAFE_HEADERS,
    etag,
    'content-type': page === 0 ? 'application/json' : 'image/webp',
    'content-disposition': contentDisposition(`${nameOf(found.location)}${page === 0 ? '.json' : '.webp'}`),
  }
  if (matchesEtag(req.headers['if-none-match'], etag)) {
    res.writeHead(304, headers).end()
    return
  }
  const { content } = await deps.pictures.make(source, edge, signal)
  res.writeHead(200, { ...headers, 'content-length': content.length })
  res.end(req.method === 'HEAD' ? undefined : content)
}

function sourceOf(
  { files }: PicturesOfFilesDeps,
  { found, page, owner }: WantedPicture,
  watermark: Watermark | undefined,
): PictureSource {
  const { location, entry } = found
  // Content that changes has another tag, and so has another file that takes the name.
  const content = [files.storages.idOf(location.store), entry.key, entry.etag, entry.size]
  return {
    identity: JSON.stringify([
      ...content,
      ...(page === undefined ? [] : [`page ${page}`]),
      ...(watermark === undefined ? [] : [watermark.key]),
    ]),
    ...(page === undefined ? {} : { page, document: JSON.stringify(content) }),
    bytes: entry.size,
    owner,
    ...(watermark === undefined ? {} : { mark: watermark.mark }),
    isPicture: async (signal: AbortSignal) =>
      (await lookAt(found, signal)).view === (page === undefined ? 'image' : 'pdf'),
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
