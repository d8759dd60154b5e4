import { MiB } from '@godwit/base'
import type { OperationReply } from '@godwit/contract'
import type { UserCtx } from '../../kernel/context.ts'
import type { Job, Run } from '../../kernel/queue/index.ts'
import { withAppErrors } from '../../foundation/storages/index.ts'
import {
  nameOf,
  newName,
  newWithin,
  placeOf,
  requireEntry,
  requireFolder,
  type Found,
  type PlaceIds,
} from '../access/index.ts'
import { walkSelection, ZipWriter, type Packed } from '../downloads/index.ts'
import {
  JobProgress,
  limitsOf,
  measureTree,
  NO_PROGRESS,
  presentJob,
  startFileJob,
  type FileProgress,
  type JobLimits,
} from '../files/index.ts'
import type { Intake, LiveUpload } from '../intake/index.ts'
import { jobCtx, taskOf, type ArchivesDeps } from './archive-uploads.ts'

interface PackRequest extends PlaceIds {
  readonly paths: readonly string[]
  readonly target: string
  readonly name: string
}

export interface PackPayload extends PackRequest, JobLimits {}

/**
 * Starts to pack entries into a new zip; a taken name gets a number.
 * @throws AppError PATH_NOT_FOUND, PERMISSION_DENIED, NAME_INVALID, FILE_TYPE_NOT_ALLOWED
 */
export async function startPack(
  deps: ArchivesDeps,
  ctx: UserCtx,
  request: PackRequest,
): Promise<OperationReply<'pack'>> {
  const { access } = deps.files
  const folder = await requireFolder(await access.open(ctx, placeOf(request), request.target, 'packHere'))
  newWithin(folder, { name: newName(request.name), kind: 'file' })
  await findAll(deps, ctx, request)
  const payload: PackPayload = { ...request, ...limitsOf(ctx) }
  const job = await startFileJob(deps, { kind: 'pack', ownerId: ctx.principal.id, payload, progress: NO_PROGRESS })
  return { job: presentJob(job, ctx.locale) }
}

function findAll({ files }: ArchivesDeps, ctx: Pick<UserCtx, 'principal'>, request: PackRequest): Promise<Found[]> {
  const find = async (path: string): Promise<Found> =>
    requireEntry(await files.access.open(ctx, placeOf(request), path, 'pack'))
  return Promise.all(request.paths.map(find))
}

/** Packs from the beginning: what an earlier run left unfinished is dropped, and what it finished stays. */
export async function runPack(
  deps: ArchivesDeps,
  job: Job<PackPayload, FileProgress>,
  run: Run<PackPayload, FileProgress>,
): Promise<FileProgress> {
  const progress = new JobProgress(run, NO_PROGRESS)
  const task = taskOf(job)
  const isDone = await deps.intake.dropUnfinished(job.ownerId, task)
  if (isDone) return progress.shown
  const ctx = await jobCtx(deps, job, run.signal)
  const { spaceId, groupId, target: folder, name: filename } = job.payload
  const found = await findAll(deps, ctx, job.payload)
  for (const { location, entry } of found) {
    const isFile = entry.kind === 'file'
    progress.found(isFile ? { files: 1, bytes: entry.size } : await measureTree(location, run.signal))
  }
  const { live } = await deps.intake.create(ctx, {
    ...{ spaceId, groupId, folder, filename, size: null, conflict: 'keep-both', resume: false },
    ...{ carrier: 'archive', metadata: task },
  })
  await progress.entry(live.row.path, async () => {
    try {
      const sink = new ArchiveSink(deps.intake, live, run.signal)
      await pack(found, sink, { progress, signal: run.signal })
      await deps.intake.declareLength(live, await sink.end())
      await deps.intake.complete(live, {})
    } catch (thrown) {
      await deps.intake.abort(live)
      throw thrown
    }
  })
  progress.set({ current: '' })
  return progress.shown
}

interface Packing {
  readonly progress: JobProgress
  readonly signal: AbortSignal
}

async function pack(found: readonly Found[], sink: ArchiveSink, { progress, signal }: Packing): Promise<void> {
  const zip = new ZipWriter()
  for await (const item of walkSelection(found, { signal, onLeftOut: () => undefined })) {
    signal.throwIfAborted()
    if (item.isFolder) {
      await sink.write(zip.begin({ name: item.name, modifiedMs: item.modifiedMs, size: 0 }))
      await sink.write(zip.end())
    } else await packEntry(item, { zip, sink, progress })
  }
  for (const piece of zip.finish()) await sink.write(piece)
}

interface PackingFile {
  readonly zip: ZipWriter
  readonly sink: ArchiveSink
  readonly progress: JobProgress
}

/** A file that cannot be read is noted and left out. Bytes of the archive that cannot be kept end all of it. */
async function packEntry(item: Packed, packing: PackingFile): Promise<void> {
  const { progress, sink } = packing
  progress.set({ current: nameOf(item.location) })
  try {
    await packFile(item, packing)
  } catch (thrown) {
    sink.requireWhole()
    progress.caught(item.location.path, thrown)
  }
}

async function packFile({ location, name }: Packed, { zip, sink, progress }: PackingFile): Promise<void> {
  await using reader = await withAppErrors(() => location.store.openRead(location.key))
  const { size, modifiedMs } = reader.entry
  await sink.write(zip.begin({ name, modifiedMs, size }))
  for await (const chunk of reader.stream()) {
    zip.content(chunk)
    await sink.write(chunk)
    progress.done({ files: 0, bytes: chunk.length })
  }
  await sink.write(zip.end())
  progress.done({ files: 1, bytes: 0 })
}

/** Written at once: each piece is made durable and booked. */
const PIECE_BYTES = 8 * MiB

/** Collects bytes into pieces and appends them to an upload. */
class ArchiveSink {
  readonly #intake: Intake
  readonly #live: LiveUpload
  readonly #signal: AbortSignal
  #chunks: Uint8Array[] = []
  #held = 0
  #offset = 0
  #fault: { readonly thrown: unknown } | undefined

  constructor(intake: Intake, live: LiveUpload, signal: AbortSignal) {
    this.#intake = intake
    this.#live = live
    this.#signal = signal
  }

  /** @param chunk copied */
  async write(chunk: Uint8Array): Promise<void> {
    this.#chunks.push(Buffer.from(chunk))
    this.#held += chunk.length
    if (this.#held >= PIECE_BYTES) await this.#flush()
  }

  /** @throws what kept a piece from being written: the archive has a hole there */
  requireWhole(): void {
    if (this.#fault !== undefined) throw this.#fault.thrown
  }

  /** @returns bytes in all */
  async end(): Promise<number> {
    if (this.#held > 0) await this.#flush()
    return this.#offset
  }

  async #flush(): Promise<void> {
    const [chunks, length] = [this.#chunks, this.#held]
    this.#chunks = []
    this.#held = 0
    const request = { offset: this.#offset, length, check: undefined, source: each(chunks), signal: this.#signal }
    try {
      this.#offset = await this.#intake.append(this.#live, request)
    } catch (thrown) {
      this.#fault = { thrown }
      throw thrown
    }
  }
}

// The sink takes its bytes one after the other, as they would come from a request.
async function* each(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}
