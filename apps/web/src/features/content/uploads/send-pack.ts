import { errorByWire } from '@godwit/contract/errors/catalogue'
import { routes } from '@godwit/contract/table'
import { ApiError } from '@godwit/contract/wire/api-error'
import type { OperationReply, RouteReply } from '@godwit/contract'
import type { FileOperations } from '../../../lib/file-operations.ts'
import { joinPath } from '../../../lib/paths.ts'
import { SourceGone } from './source-gone.ts'
import { sendBytes } from './send-bytes.ts'
import { type SendDeps, sealedFor } from './send-file.ts'
import { nextPending, setItemSent, setItemState, type UploadItem, type UploadJob } from './upload-job.ts'

/** Files up to this size travel together; a larger one gains nothing from it. */
export const SMALL_BYTES = 256 * 1024
const PACK_FILES = 200
const PACK_BYTES = 4 * 1024 * 1024

export interface PackDeps extends SendDeps {
  readonly operate: FileOperations
}

type PackReply = RouteReply<typeof routes.uploads.pack>

/** What is made while it leaves goes by itself: a pack is built from files. */
export function goesInPack({ size, source }: UploadItem): boolean {
  return size <= SMALL_BYTES && source.sent === undefined
}

/** Takes the next small files of a job, `first` among them, as far as they fit one pack. */
export function takePack(job: UploadJob, first: UploadItem): readonly UploadItem[] {
  const pack: UploadItem[] = []
  let bytes = 0
  for (let item: UploadItem | undefined = first; item !== undefined; item = nextPending(job)) {
    if (!goesInPack(item) || pack.length >= PACK_FILES || bytes + item.size > PACK_BYTES) break
    pack.push(item)
    bytes += item.size
    job.cursor += 1
  }
  return pack
}

/**
 * Sends many small files in one request; each is settled by itself, also one that can no longer be read.
 * @throws ApiError when the whole request failed
 */
export async function sendPack(
  { api, operate, hashes, connections, onChange, sealTo }: PackDeps,
  job: UploadJob,
  chosen: readonly UploadItem[],
  signal: AbortSignal,
): Promise<void> {
  const entries = chosen.map(({ source, conflict }) => ({ ...source, conflict }))
  const { body: plain, unreadable } = await hashes.pack(entries)
  const gone = new Set(unreadable)
  for (const [at, item] of chosen.entries()) if (gone.has(at)) fail(job, item, new SourceGone())
  const items = chosen.filter((_, at) => !gone.has(at))
  if (items.length === 0) return
  const { spaceId, groupId } = job.place
  const { body, headers: seal } = await sealedFor(hashes, plain, { to: sealTo(), request: 'pack' })
  const input = { query: { folder: job.folder, spaceId, groupId, ...transferOf(job) }, body }
  const total = items.reduce((sum, { size }) => sum + size, 0)
  const onProgress = (sent: number): void => {
    const share = total === 0 ? 0 : Math.min(1, sent / plain.size)
    for (const item of items) setItemSent(job, item, item.size * share)
    onChange(job)
  }
  const post = async (): Promise<PackReply> => {
    const headers = api.headers()
    try {
      return await sendBytes(routes.uploads.pack, input, { headers: { ...headers, ...seal }, signal, onProgress })
    } catch (error) {
      // Nobody else may notice that the session is over, and without it this would be tried for ever.
      api.noteFailure(error, headers['authorization']?.slice('Bearer '.length))
      throw error
    }
  }
  const reply = await connections.run(post, signal)
  const taken = reply.results.filter(({ code }) => errorByWire(code) === 'PATH_EXISTS')
  const mine = await ownLeftovers(operate, job, items, new Set(taken.map(({ relativePath }) => relativePath)))
  for (const [at, item] of items.entries()) {
    const result = reply.results[at]
    if (result === undefined) throw new Error('a pack was answered with fewer results than files')
    settle(job, item, mine.has(item) ? { ...result, code: 200, state: 'completed' } : result)
  }
}

function transferOf({ transferId }: UploadJob) {
  return transferId === undefined ? {} : { transferId }
}

function settle(job: UploadJob, item: UploadItem, { code, message, state }: PackReply['results'][number]): void {
  setItemSent(job, item, item.size)
  if (code === 200) return setItemState(job, item, state === 'skipped' ? 'skipped' : 'completed')
  fail(job, item, new ApiError({ code, message }))
}

function fail(job: UploadJob, item: UploadItem, error: unknown): void {
  item.error = error
  setItemState(job, item, 'failed')
}

/**
 * A pack whose answer was lost may have been stored: then the second try finds its own files in the way. They are the same
 * when size and time are.
 */
async function ownLeftovers(
  operate: FileOperations,
  job: UploadJob,
  items: readonly UploadItem[],
  taken: ReadonlySet<string>,
): Promise<ReadonlySet<UploadItem>> {
  const doubtful = items.filter(({ doubts, source }) => doubts > 0 && taken.has(source.relativePath))
  if (doubtful.length === 0) return new Set()
  const paths = doubtful.map(({ source }) => joinPath(job.folder, source.relativePath))
  const { items: found } = await operate('exists', { ...job.place, paths })
  const byPath = new Map(found.map((entry) => [entry.path.normalize(), entry]))
  const isSame = (item: UploadItem, entry: OperationReply<'exists'>['items'][number] | undefined): boolean =>
    entry?.size === item.size && Math.abs(entry.time - item.source.file.lastModified / 1000) < 2
  return new Set(doubtful.filter((item, at) => isSame(item, byPath.get((paths[at] ?? '').normalize()))))
}
