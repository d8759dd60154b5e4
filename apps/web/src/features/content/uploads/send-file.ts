import { routes } from '@godwit/contract/table'
import { RangeSet, type Semaphore, type TreeNode } from '@godwit/base'
import type { UploadView } from '@godwit/contract'
import { SEALED_BODY } from '@godwit/contract/content/sealed-bodies'
import { type Api, isFailure } from '../../../lib/http.ts'
import { nameOf } from '../../../lib/paths.ts'
import { LOCK_PREFIX } from './ghosts.ts'
import type { HashPool } from './hash-pool.ts'
import type { Sealing } from './seal-body.ts'
import { sendBytes } from './send-bytes.ts'
import { sentBytes } from './source-file.ts'
import { SourceGone } from './source-gone.ts'
import { setItemSent, setItemStanding, setItemState, type UploadItem, type UploadJob } from './upload-job.ts'

export interface SendDeps {
  readonly api: Api
  readonly hashes: HashPool
  /** Connections to the server that carry bytes. */
  readonly connections: Semaphore
  readonly onChange: (job: UploadJob) => void
  /** The key of the server that bodies are sealed for; '' when they go as they are. */
  readonly sealTo: () => string
}

const PARTS_AT_ONCE = 4
type Opened = Pick<UploadView, 'uploadId' | 'state' | 'partSize' | 'ranges'>

/**
 * Sends one file in parallel parts, from wherever the server says it stands, and completes it with the hash of the whole.
 * @throws ApiError, SourceGone, the signal's reason
 */
export async function sendFile(deps: SendDeps, job: UploadJob, item: UploadItem, signal: AbortSignal): Promise<void> {
  const opened = await open(deps, job, item, signal)
  if (opened.state === 'skipped') return setItemState(job, item, 'skipped')
  const grant = item.upload?.grant ?? ''
  await withUploadLock(opened.uploadId, async () => {
    const nodes = opened.state === 'completed' ? [] : await sendParts(deps, { job, item, signal, opened, grant })
    setItemStanding(job, item, item.size)
    setItemState(job, item, 'processing')
    deps.onChange(job)
    const hash = nodes.length === 0 ? {} : { hash: await deps.hashes.root(item.size, nodes) }
    const params = { uploadId: opened.uploadId }
    const body = { ...hash, conflict: item.conflict }
    const result = await deps.api.call(routes.uploads.complete, { params, body }, { signal, token: grant })
    setItemState(job, item, result.state === 'skipped' ? 'skipped' : 'completed')
  })
}

async function open({ api }: SendDeps, job: UploadJob, item: UploadItem, signal: AbortSignal): Promise<Opened> {
  const known = item.upload
  if (known !== undefined) {
    try {
      const view = await api.call(
        routes.uploads.status,
        { params: { uploadId: known.id } },
        { signal, token: known.grant },
      )
      if (['open', 'processing', 'completed'].includes(view.state)) return view
    } catch (error) {
      // The server has forgotten it, or the grant ended: begin anew, and go on where the same file stood.
      if (!isFailure(error, 'UPLOAD_NOT_FOUND') && !isFailure(error, 'TOKEN_INVALID')) throw error
    }
    delete item.upload
  }
  const { file, relativePath, sent } = item.source
  // Not stopped half way: an upload whose answer nobody read could be neither continued nor taken back.
  const created = await api.call(routes.uploads.create, {
    body: {
      ...job.place,
      folder: job.folder,
      filename: nameOf(relativePath),
      relativePath,
      size: item.size,
      // Of what leaves under another name nothing else is sent either.
      ...(sent === undefined ? { lastModified: file.lastModified } : {}),
      conflict: item.conflict,
      resume: true,
      ...(job.transferId === undefined ? {} : { transferId: job.transferId }),
    },
  })
  item.upload = { id: created.uploadId, grant: created.grant }
  signal.throwIfAborted()
  return created
}

interface Sending {
  readonly job: UploadJob
  readonly item: UploadItem
  readonly signal: AbortSignal
  readonly opened: Opened
  readonly grant: string
}

/** Hashes every part and sends those that the server lacks. */
async function sendParts(deps: SendDeps, sending: Sending): Promise<readonly TreeNode[]> {
  const { job, item, opened } = sending
  const have = new RangeSet(opened.ranges.map(([start, end]) => ({ start, end })))
  const sums = new Map<number, number>()
  let settled = have.size
  const show = (): void => {
    const flying = [...sums.values()].reduce((sum, bytes) => sum + bytes, 0)
    setItemSent(job, item, Math.min(item.size, settled + flying))
    deps.onChange(job)
  }
  setItemStanding(job, item, settled)
  deps.onChange(job)
  const offsets = Array.from({ length: Math.ceil(item.size / opened.partSize) }, (_, at) => at * opened.partSize)
  const nodes: TreeNode[] = []
  // The first part that fails stops the others; what they had sent stays on the server.
  const stop = new AbortController()
  const signal = AbortSignal.any([sending.signal, stop.signal])
  const take = async (): Promise<void> => {
    for (let offset = offsets.shift(); offset !== undefined; offset = offsets.shift()) {
      const end = Math.min(item.size, offset + opened.partSize)
      const blob = await readSent(item, offset, end)
      signal.throwIfAborted()
      const hashing = deps.hashes.part(blob, offset)
      if (have.has(offset, end)) {
        nodes.push(...(await hashing))
        continue
      }
      const at = offset
      const put = sendPart(deps, { ...sending, signal }, { blob, offset }, (bytes) => {
        sums.set(at, bytes)
        show()
      })
      const [made] = await Promise.all([hashing, put])
      nodes.push(...made)
      settled += end - offset
      sums.delete(offset)
      show()
    }
  }
  const workers = Array.from({ length: Math.min(PARTS_AT_ONCE, Math.max(1, offsets.length)) }, async () => {
    try {
      await take()
    } catch (error) {
      stop.abort(error)
      throw error
    }
  })
  const results = await Promise.allSettled(workers)
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  if (item.size === 0) nodes.push(...(await deps.hashes.part(item.source.file.slice(0, 0), 0)))
  return nodes
}

/** @throws SourceGone */
async function readSent({ source }: UploadItem, start: number, end: number): Promise<Blob> {
  try {
    return await sentBytes(source, start, end)
  } catch (cause) {
    throw new SourceGone({ cause })
  }
}

async function sendPart(
  { connections, api, hashes, sealTo }: SendDeps,
  { opened, grant, signal }: Sending,
  { blob, offset }: { readonly blob: Blob; readonly offset: number },
  onProgress: (bytes: number) => void,
): Promise<void> {
  const { uploadId } = opened
  const put = async (): Promise<unknown> => {
    const { body, headers } = await sealedFor(hashes, blob, { to: sealTo(), request: { uploadId, offset } })
    const sending = { headers: { ...api.headers(grant), ...headers }, signal, onProgress: shown }
    return sendBytes(routes.uploads.part, { params: { uploadId, offset }, body }, sending)
  }
  // A sealed body is a little longer than what it holds.
  const shown = (bytes: number): void => onProgress(Math.min(blob.size, bytes))
  await connections.run(put, signal)
}

/** The body of a request as it goes out, with the header that it needs. */
export async function sealedFor(
  hashes: HashPool,
  body: Blob,
  sealing: Sealing,
): Promise<{ readonly body: Blob; readonly headers: Readonly<Record<string, string>> }> {
  if (sealing.to === '') return { body, headers: {} }
  const sealed = await hashes.seal(body, sealing)
  return { body: sealed.body, headers: { [SEALED_BODY.header]: sealed.by } }
}

/** Other tabs see by the lock that this upload is being worked on and is no ghost. It ends with the page. */
async function withUploadLock(uploadId: string, work: () => Promise<void>): Promise<void> {
  await navigator.locks.request(`${LOCK_PREFIX}${uploadId}`, { mode: 'shared' }, work)
}
