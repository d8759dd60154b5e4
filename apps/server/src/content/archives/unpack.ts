import type { OperationReply } from '@godwit/contract'
import type { Entry } from 'yauzl'
import type { UserCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Job, Run } from '../../kernel/queue/index.ts'
import { withAppErrors } from '../../foundation/storages/index.ts'
import { nameOf, placeOf, requireEntry, requireFolder, type Found, type PlaceIds } from '../access/index.ts'
import {
  JobProgress,
  limitsOf,
  makeFolder,
  NO_PROGRESS,
  numbered,
  presentJob,
  requireSeen,
  seenAs,
  startFileJob,
  type FileProgress,
  type JobLimits,
} from '../files/index.ts'
import { folderResolver } from '../intake/index.ts'
import { jobCtx, taskOf, type ArchivesDeps } from './archive-uploads.ts'
import { SmallEntries } from './small-entries.ts'
import { decodedName, isLink, unpackedNames } from './unpacked-names.ts'
import type { OpenedZip } from './zip-reader.ts'

interface UnpackRequest extends PlaceIds {
  readonly path: string
  readonly target: string
}

export interface UnpackPayload extends UnpackRequest, JobLimits {
  /** The archive as its owner saw it. */
  readonly seen: string
  /** The folder that takes the entries; '' until it is made. */
  readonly folder: string
  /** The one that was about to be made. */
  readonly making?: string
  /** Entries done; the next run goes on here. */
  readonly done: number
}

/**
 * Starts to unpack a zip into a new folder of its name.
 * @throws AppError PATH_NOT_FOUND, PATH_IS_FOLDER, PERMISSION_DENIED
 */
export async function startUnpack(
  deps: ArchivesDeps,
  ctx: UserCtx,
  request: UnpackRequest,
): Promise<OperationReply<'unpack'>> {
  const { access } = deps.files
  await requireFolder(await access.open(ctx, placeOf(request), request.target, 'unpackHere'))
  const { entry } = await findArchive(deps, ctx, request)
  const payload: UnpackPayload = { ...request, ...limitsOf(ctx), seen: seenAs(entry), folder: '', done: 0 }
  const job = await startFileJob(deps, { kind: 'unpack', ownerId: ctx.principal.id, payload, progress: NO_PROGRESS })
  return { job: presentJob(job, ctx.locale) }
}

async function findArchive(
  { files }: ArchivesDeps,
  ctx: Pick<UserCtx, 'principal'>,
  request: UnpackRequest,
): Promise<Found> {
  const found = await requireEntry(await files.access.open(ctx, placeOf(request), request.path, 'unpack'))
  if (found.entry.kind === 'folder') throw new AppError('PATH_IS_FOLDER')
  return found
}

const ENTRIES_PER_CHECKPOINT = 100

/** Unpacks from where it stopped. An entry that fails is reported by its name, the others go on. */
export async function runUnpack(
  deps: ArchivesDeps,
  job: Job<UnpackPayload, FileProgress>,
  run: Run<UnpackPayload, FileProgress>,
): Promise<FileProgress> {
  const progress = new JobProgress(run, job.progress)
  await progress.entry(job.payload.path, async () => {
    await deps.intake.dropUnfinished(job.ownerId, taskOf(job))
    const ctx = await jobCtx(deps, job, run.signal)
    const { location, entry } = await findArchive(deps, ctx, job.payload)
    requireSeen(entry, job.payload.seen)
    await using reader = await withAppErrors(() => location.store.openRead(location.key))
    const { openZip } = await import('./zip-reader.ts')
    const zip = await openZip(reader)
    progress.set({ totalFiles: zip.entries.length, totalBytes: zip.unpackedBytes })
    const folder = job.payload.folder === '' ? await newFolder(deps, ctx, { job, run }) : job.payload.folder
    const payload = { ...job.payload, folder }
    await run.checkpoint(payload)
    await unpackAll(deps, { job: { ...job, payload }, run, zip, progress })
  })
  progress.set({ current: '' })
  return progress.shown
}

/** A folder of the archive's name, without its ending; a taken name gets a number. @returns its path */
async function newFolder(
  deps: ArchivesDeps,
  ctx: UserCtx,
  { job, run }: Pick<Unpacking, 'job' | 'run'>,
): Promise<string> {
  const { path, target, spaceId, groupId, making } = job.payload
  const whole = nameOf({ path })
  const stem = whole.replace(/\.zip$/i, '').replace(/[. ]+$/, '') || 'files'
  for (let number = 0; ; number++) {
    const name = number === 0 ? stem : numbered(stem, number)
    const folder = `${target === '/' ? '' : target}/${name}`
    await run.checkpoint({ ...job.payload, making: folder })
    try {
      return (await makeFolder(deps.files, ctx, { spaceId, groupId, folder: target, name })).path
    } catch (thrown) {
      const isTaken = thrown instanceof AppError && ['PATH_EXISTS', 'NAME_CASE_CLASH'].includes(thrown.code)
      if (!isTaken) throw thrown
      // A run that was cut short had got so far.
      if (making === folder && (await isEmpty(deps, ctx, { spaceId, groupId, folder }))) return folder
    }
  }
}

/** Whether it is a folder with nothing in it. */
async function isEmpty(
  { files }: ArchivesDeps,
  ctx: UserCtx,
  { folder, ...ids }: PlaceIds & { readonly folder: string },
): Promise<boolean> {
  const { store, key } = await files.access.open(ctx, placeOf(ids), folder, 'unpackHere')
  return withAppErrors(async () => {
    if ((await store.stat(key))?.kind !== 'folder') return false
    for await (const { kinds } of store.list(key)) if (kinds.length > 0) return false
    return true
  })
}

interface Unpacking {
  readonly job: Job<UnpackPayload, FileProgress>
  readonly run: Run<UnpackPayload, FileProgress>
  readonly zip: OpenedZip
  readonly progress: JobProgress
}

async function unpackAll(deps: ArchivesDeps, unpacking: Unpacking): Promise<void> {
  const { job, run, zip } = unpacking
  for (let done = job.payload.done; done < zip.entries.length;) {
    const some = zip.entries.slice(done, done + ENTRIES_PER_CHECKPOINT)
    await unpackSome(deps, unpacking, some)
    done += some.length
    await run.checkpoint({ ...job.payload, done })
  }
}

/** Those up to a checkpoint, with the rights that the owner of the job has now. */
async function unpackSome(deps: ArchivesDeps, unpacking: Unpacking, entries: readonly Entry[]): Promise<void> {
  const { job, run, progress } = unpacking
  const ctx = await jobCtx(deps, job, run.signal)
  const small = new SmallEntries(deps, { ...job.payload, ctx, conflict: conflictOf(job) })
  const write = async (): Promise<void> => {
    for (const { name, thrown } of await small.write()) progress.caught(name, thrown)
  }
  for (const entry of entries) {
    run.signal.throwIfAborted()
    const name = decodedName(entry.fileNameRaw, entry.generalPurposeBitFlag)
    await progress.entry(name, () => unpackEntry(deps, unpacking, { entry, name, ctx, small }))
    if (small.isFull) await write()
    progress.done({ files: 1, bytes: entry.uncompressedSize })
  }
  await write()
}

/** Only a run that was cut short meets its own files. */
function conflictOf({ attempts }: Pick<Job, 'attempts'>): 'skip' | 'fail' {
  return attempts > 1 ? 'skip' : 'fail'
}

interface Unpacked {
  readonly entry: Entry
  readonly name: string
  readonly ctx: UserCtx
  readonly small: SmallEntries
}

/** @throws AppError NAME_INVALID, OPERATION_UNSUPPORTED, ARCHIVE_UNREADABLE and as an upload */
async function unpackEntry(
  deps: ArchivesDeps,
  { job, run, zip }: Unpacking,
  { entry, name, ctx, small }: Unpacked,
): Promise<void> {
  const names = unpackedNames(name)
  if (names === undefined) throw new AppError('NAME_INVALID', { fault: 'dot-name' })
  if (names.length === 0) return
  const isUnsupported = isLink(entry) || entry.isEncrypted() || !entry.canDecodeFileData()
  if (isUnsupported) throw new AppError('OPERATION_UNSUPPORTED')
  const { spaceId, groupId, folder } = job.payload
  if (/[\\/]$/.test(name)) {
    await folderResolver(deps.files, ctx, { spaceId, groupId, folder })(names)
    return
  }
  if (SmallEntries.takes(entry)) return small.add(zip, { entry, name, names })
  const size = entry.uncompressedSize
  const { live } = await deps.intake.create(ctx, {
    ...{ spaceId, groupId, folder, filename: '', relativePath: names.join('/'), size },
    lastModified: Math.max(0, entry.getLastModDate().getTime() || 0),
    ...{ conflict: conflictOf(job), resume: false, carrier: 'archive', metadata: taskOf(job) },
  })
  if (live.state === 'skipped') return
  try {
    let fault: unknown
    const source = noting(zip.read(entry), (thrown) => (fault = thrown))
    const bytes = { offset: 0, length: size, check: undefined, source, signal: run.signal }
    await deps.intake.append(live, bytes).catch((thrown: unknown) => {
      throw fault ?? thrown
    })
    await deps.intake.complete(live, {})
  } catch (thrown) {
    await deps.intake.abort(live)
    throw thrown
  }
}

/** Passes chunks on, and what ended them: the sink would only say that its sender broke off. */
async function* noting(
  chunks: AsyncIterable<Uint8Array>,
  onFault: (thrown: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
  } catch (thrown) {
    onFault(thrown)
    throw thrown
  }
}
