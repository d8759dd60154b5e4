import type { z } from 'zod'
import { previewQuery, type PreviewFilm } from '@godwit/contract'
import { create as contentDisposition } from 'content-disposition'
import {
  mediaFormat,
  renderedSize,
  renditionsOf,
  RENDITIONS,
  segmentsOf,
  type FilmCuts,
  type FilmPlan,
  type FilmStream,
  type PlayedFilm,
} from '../../foundation/conversions/index.ts'
import { withAppErrors } from '../../foundation/storages/index.ts'
import type { RawExchange } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { nameOf, type Found } from '../access/index.ts'
import { cutWhenStalled, SAFE_HEADERS } from '../downloads/index.ts'
import { pictureQuery } from './picture-query.ts'
import { lookAt } from './previews.look.ts'
import { contentOf, type PicturesOfFilesDeps } from './previews.pictures.ts'
import type { Viewer } from './watermarks.policy.ts'
import type { Watermark } from './watermarks.ts'

export interface WantedFilm {
  readonly found: Found
  /** Whose turn it takes. */
  readonly owner: string
  /** Whom a watermark names. */
  readonly viewer: () => Promise<Viewer>
}

type Asked = z.output<typeof previewQuery>
type Answering = Pick<RawExchange, 'req' | 'res'> & { readonly signal: AbortSignal }

/** What a request asks of a film. @returns undefined when it asks for the file @throws AppError PARAMETER_INVALID */
export function askedOfFilm(query: URLSearchParams): Asked | undefined {
  return query.has('stream') ? pictureQuery(previewQuery, query) : undefined
}

const PLAYLIST = 'application/vnd.apple.mpegurl'

/**
 * Answers with how a film can be played, with a playlist, or with a segment of it. While the site asks for a watermark every
 * frame that leaves carries it.
 * @throws AppError PREVIEW_UNSUPPORTED, SERVER_BUSY, FILE_CHANGED, and as storageError() makes them
 */
export async function sendFilm(
  deps: PicturesOfFilesDeps,
  wanted: WantedFilm,
  asked: Asked,
  answering: Answering,
): Promise<void> {
  cutWhenStalled(answering.res)
  const { films } = deps.conversions
  const film = await filmOf(deps, wanted, answering.signal)
  if (films === undefined || film === undefined) throw new AppError('PREVIEW_UNSUPPORTED')
  const { stream = 'plan', segment: index } = asked
  const mark = await deps.watermarks.for(wanted.viewer)
  // Frames that leave as they are carry none.
  if (mark !== undefined && stream === 'copy') throw new AppError('PREVIEW_UNSUPPORTED')
  if (index !== undefined && stream !== 'plan' && stream !== 'main') {
    const plan = await films.plan(film, answering.signal)
    const overlay = mark === undefined ? undefined : overlayOf(deps, wanted.owner, mark, plan)
    const options = { rendition: stream, index, ...(overlay === undefined ? {} : { overlay }) }
    const content = await films.segment(film, options, answering.signal)
    return answer(wanted, answering, { type: 'video/mp2t', ending: 'ts', content })
  }
  const plan = await films.plan(film, answering.signal)
  if (mark !== undefined && plan.picture === undefined) throw new AppError('PREVIEW_UNSUPPORTED')
  if (stream === 'plan') {
    const { seconds, picture } = plan
    const reply: PreviewFilm = {
      isDirect: plan.isDirect && mark === undefined,
      seconds,
      hasPicture: picture !== undefined,
    }
    return answer(wanted, answering, { type: 'application/json', ending: 'json', content: JSON.stringify(reply) })
  }
  const cuts = mark === undefined && isCut(stream) ? await films.cuts(film, answering.signal) : undefined
  const content = playlistOf({ plan, cuts, ticket: asked.ticket }, stream)
  return answer(wanted, answering, { type: PLAYLIST, ending: 'm3u8', content })
}

async function filmOf(
  deps: PicturesOfFilesDeps,
  { found, owner }: WantedFilm,
  signal: AbortSignal,
): Promise<PlayedFilm | undefined> {
  const format = mediaFormat((await lookAt(found, signal)).type)
  if (format === undefined) return undefined
  const { location, entry } = found
  const open = async () => {
    const reader = await withAppErrors(() => location.store.openRead(location.key))
    if (reader.entry.etag === entry.etag) return reader
    await reader.close()
    throw new AppError('FILE_CHANGED')
  }
  return { identity: contentOf(deps, found), bytes: entry.size, format, owner, open }
}

/** The mark alone, on clear ground in the shape of the frames: what the decoder of pictures makes of an empty drawing. */
function overlayOf(deps: PicturesOfFilesDeps, owner: string, { key, mark }: Watermark, { picture }: FilmPlan) {
  if (picture === undefined) throw new AppError('PREVIEW_UNSUPPORTED')
  const { width, height } = picture
  const drawing = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"/>`)
  const draw = async (signal: AbortSignal): Promise<Uint8Array> => {
    const source = {
      ...{ identity: JSON.stringify(['mark of a film', width, height, key]), bytes: drawing.length, owner, mark },
      isPicture: () => Promise.resolve(true),
      async *read() {
        yield drawing
      },
    }
    return (await deps.pictures.make(source, OVERLAY_EDGE, signal)).content
  }
  return { key, draw }
}

/** No shorter than the longer edge of any size that films are made in. */
const OVERLAY_EDGE = 2048

/** Whether what is asked for depends on where the film can be cut. */
const isCut = (stream: string): boolean => stream === 'main' || stream === 'copy'

interface Listed {
  readonly plan: FilmPlan
  /** Undefined for a film that is encoded. */
  readonly cuts: FilmCuts | undefined
  readonly ticket: string
}

/** @throws AppError PREVIEW_UNSUPPORTED for the segments of a film that cannot be cut */
function playlistOf(listed: Listed, stream: FilmStream | 'main'): string {
  const { plan, cuts, ticket } = listed
  if (stream === 'main') return mainPlaylist(listed)
  if (stream !== 'copy') return playlist(segmentsOf(plan.seconds), stream, ticket)
  if (cuts === undefined) throw new AppError('PREVIEW_UNSUPPORTED')
  const { begins, ends } = cuts
  const lengths = begins.map((begin, at) => (begins[at + 1] ?? ends) - begin)
  return playlist(lengths, stream, ticket)
}

/** Addresses in a playlist are those of the playlist with another query. */
function address(ticket: string, stream: FilmStream, segment?: number): string {
  return `?ticket=${encodeURIComponent(ticket)}&stream=${stream}${segment === undefined ? '' : `&segment=${segment}`}`
}

/** Of sound, and of what MPEG-TS adds. */
const MORE_BITS = 160_000
const MADE_CODEC = 'avc1.640028'

/** What can be sent as it is, is: nothing else is offered then, and nothing encoded. */
function mainPlaylist({ plan, cuts, ticket }: Listed): string {
  const { picture, copy } = plan
  if (cuts !== undefined && picture !== undefined && copy !== undefined) {
    const { codec } = copy
    return mainOf([levelOf({ plan, ticket, stream: 'copy', bits: cuts.bitsPerSecond, size: picture, codec })])
  }
  const levels = renditionsOf(plan).map((stream) => {
    if (picture === undefined) return levelOf({ plan, ticket, stream, bits: 0 })
    const size = renderedSize(picture, stream)
    return levelOf({ plan, ticket, stream, bits: RENDITIONS[stream].bits, size, codec: MADE_CODEC })
  })
  return mainOf(levels)
}

interface Level extends Pick<Listed, 'plan' | 'ticket'> {
  readonly stream: FilmStream
  readonly bits: number
  readonly size?: { readonly width: number; readonly height: number }
  readonly codec?: string
}

function levelOf({ plan, ticket, stream, bits, size, codec }: Level): string {
  const facts = [
    `BANDWIDTH=${bits + MORE_BITS}`,
    ...(size === undefined ? [] : [`RESOLUTION=${size.width}x${size.height}`]),
    `CODECS="${[...(codec === undefined ? [] : [codec]), ...(plan.hasSound ? ['mp4a.40.2'] : [])].join(',')}"`,
  ]
  return `#EXT-X-STREAM-INF:${facts.join(',')}\n${address(ticket, stream)}\n`
}

function mainOf(levels: readonly string[]): string {
  return `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-INDEPENDENT-SEGMENTS\n${levels.join('')}`
}

/** Complete from the beginning: segments have their places before they are made. */
function playlist(lengths: readonly number[], stream: FilmStream, ticket: string): string {
  const segments = lengths.map((length, at) => `#EXTINF:${length.toFixed(3)},\n${address(ticket, stream, at)}\n`)
  const head = `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:${Math.ceil(Math.max(...lengths))}\n#EXT-X-PLAYLIST-TYPE:VOD\n`
  return `${head}#EXT-X-INDEPENDENT-SEGMENTS\n${segments.join('')}#EXT-X-ENDLIST\n`
}

interface Answer {
  readonly type: string
  readonly ending: string
  readonly content: string | Uint8Array
}

function answer({ found }: WantedFilm, { req, res }: Answering, { type, ending, content }: Answer): void {
  res.writeHead(200, {
    ...SAFE_HEADERS,
    'content-type': type,
    'content-disposition': contentDisposition(`${nameOf(found.location)}.${ending}`),
    'content-length': Buffer.byteLength(content),
  })
  res.end(req.method === 'HEAD' ? undefined : content)
}
