import { createHash } from 'node:crypto'
import { MiB } from '@godwit/base'
import { isFilmName } from '@godwit/contract'
import { create as contentDisposition } from 'content-disposition'
import {
  filmFormat,
  type Conversions,
  type ConversionSource,
  type ConverterName,
} from '../../foundation/conversions/index.ts'
import type { Edge, Pictures, PictureSource } from '../../foundation/pictures/index.ts'
import { storageError, withAppErrors } from '../../foundation/storages/index.ts'
import type { RawExchange } from '../../kernel/endpoint.ts'
import { nameOf, type Found } from '../access/index.ts'
import { cutWhenStalled, matchesEtag, SAFE_HEADERS } from '../downloads/index.ts'
import type { FilesDeps } from '../files/index.ts'
import { lookAt } from './previews.look.ts'
import { decodedText } from '../../foundation/document-texts/index.ts'
import type { Watermark, Watermarks } from './watermarks.ts'
import type { Viewer } from './watermarks.policy.ts'

export interface PicturesOfFilesDeps {
  readonly pictures: Pictures
  readonly files: Pick<FilesDeps, 'storages'>
  readonly watermarks: Watermarks
  readonly conversions: Conversions
}

export interface WantedPicture {
  readonly found: Found
  readonly edge: Edge
  /** A page of the document instead of a picture; 0: what there is to know of them. */
  readonly page?: number | undefined
  /** The page is one of the PDF that this program makes of the file. */
  readonly converter?: ConverterName | undefined
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
  const { content } = await deps.pictures.make(await converted(deps, wanted, source, signal), edge, signal)
  res.writeHead(200, { ...headers, 'content-length': content.length })
  res.end(req.method === 'HEAD' ? undefined : content)
}

function sourceOf(
  deps: PicturesOfFilesDeps,
  { found, page, owner }: WantedPicture,
  watermark: Watermark | undefined,
): PictureSource {
  const { entry } = found
  const content = contentOf(deps, found)
  return {
    identity: JSON.stringify([
      content,
      ...(page === undefined ? [] : [`page ${page}`]),
      ...(watermark === undefined ? [] : [watermark.key]),
    ]),
    ...(page === undefined ? {} : { page, document: content }),
    bytes: entry.size,
    owner,
    ...(watermark === undefined ? {} : { mark: watermark.mark }),
    isPicture: async (signal: AbortSignal) =>
      (await lookAt(found, signal)).view === (page === undefined ? 'image' : 'pdf'),
    read: (signal: AbortSignal) => bytesOf(found, { signal }),
  }
}

/** The same, of a film: its poster stands in its place. */
async function posterSource(
  deps: PicturesOfFilesDeps,
  { found, owner }: WantedPicture,
  source: PictureSource,
  signal: AbortSignal,
): Promise<PictureSource> {
  const format = filmFormat((await lookAt(found, signal)).type)
  if (format === undefined) return source
  const readSpan = (span: Span, until: AbortSignal) => bytesOf(found, { span, signal: until })
  const film = { identity: contentOf(deps, found), bytes: found.entry.size, owner, format, readSpan }
  const poster = await deps.conversions.posterOf(film, signal)
  return { ...source, bytes: poster.length, isPicture: () => Promise.resolve(true), read: () => piecesOf(poster) }
}

async function converted(
  deps: PicturesOfFilesDeps,
  wanted: WantedPicture,
  source: PictureSource,
  signal: AbortSignal,
): Promise<PictureSource> {
  const { converter, found, owner } = wanted
  const isFilm = wanted.page === undefined && isFilmName(nameOf(found.location)) && deps.conversions.has('video')
  if (converter === undefined) return isFilm ? posterSource(deps, wanted, source, signal) : source
  const pdf = await deps.conversions.pdfOf(converter, conversionSource(deps, { found, converter, owner }), signal)
  return { ...source, bytes: pdf.length, isPicture: () => Promise.resolve(true), read: () => piecesOf(pdf) }
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += MiB) yield bytes.subarray(at, at + MiB)
}

function conversionSource(deps: PicturesOfFilesDeps, { found, converter, owner }: WantedDocument): ConversionSource {
  const [, ending = 'bin'] = /\.([a-z0-9]{1,8})$/.exec(nameOf(found.location).toLowerCase()) ?? []
  const source = { identity: contentOf(deps, found), bytes: found.entry.size, owner }
  if (converter === 'text') return { ...source, ending: 'txt', read: (signal) => utf8Of(bytesOf(found, { signal })) }
  return { ...source, ending, read: (signal) => bytesOf(found, { signal }) }
}

/** A text is small enough to be held; its encoding shows in all of it. */
async function* utf8Of(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const held: Uint8Array[] = []
  // Chunks are borrowed.
  for await (const chunk of chunks) held.push(chunk.slice())
  yield new TextEncoder().encode(decodedText(Buffer.concat(held)))
}

export interface WantedDocument {
  readonly found: Found
  readonly converter: ConverterName
  /** Whose turn at the converter it takes. */
  readonly owner: string
}

/**
 * Answers with the PDF that a program makes of a file, or with 304 where the caller has it.
 * @throws AppError PREVIEW_UNSUPPORTED, also while previews carry a mark; SERVER_BUSY, and as storageError() makes them
 */
export async function sendConverted(
  deps: PicturesOfFilesDeps,
  { found, converter, owner }: WantedDocument,
  { req, res, signal }: Pick<RawExchange, 'req' | 'res'> & { readonly signal: AbortSignal },
): Promise<void> {
  await deps.watermarks.requireNone()
  cutWhenStalled(res)
  const source = conversionSource(deps, { found, converter, owner })
  const etag = `"${createHash('sha256').update(`${converter} ${source.identity}`).digest('hex').slice(0, 40)}"`
  const headers = {
    ...SAFE_HEADERS,
    etag,
    'content-type': 'application/octet-stream',
    'content-disposition': contentDisposition(`${nameOf(found.location)}.pdf`),
  }
  if (matchesEtag(req.headers['if-none-match'], etag)) {
    res.writeHead(304, headers).end()
    return
  }
  const pdf = await deps.conversions.pdfOf(converter, source, signal)
  res.writeHead(200, { ...headers, 'content-length': pdf.length })
  res.end(req.method === 'HEAD' ? undefined : pdf)
}

/** Names what a file holds: content that changes has another tag, and so has another file that takes the name. */
export function contentOf({ files }: PicturesOfFilesDeps, { location, entry }: Found): string {
  return JSON.stringify([files.storages.idOf(location.store), entry.key, entry.etag, entry.size])
}

interface Span {
  readonly start: number
  readonly end: number
}

async function* bytesOf(
  { location }: Found,
  { span, signal }: { readonly span?: Span; readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const reader = await withAppErrors(() => location.store.openRead(location.key))
  try {
    yield* reader.stream(span ?? {}, signal)
  } catch (thrown) {
    throw storageError(thrown)
  } finally {
    await reader.close()
  }
}
