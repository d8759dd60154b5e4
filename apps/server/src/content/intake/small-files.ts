import type { ConflictPolicy, UploadState } from '@godwit/contract'
import { storageError, withAppErrors } from '../../foundation/storages/index.ts'
import { foldName, folderOf, nameOf, type Location } from '../access/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { UploaderCtx } from '../../kernel/context.ts'
import { originOf } from '../file-events/index.ts'
import { commitBatch, type Batch } from './batches.ts'
import type { IntakeDeps } from './intake.deps.ts'
import { beside, keepBothNames } from './intake.targets.ts'

/** A whole file in memory. */
export interface SmallFile {
  readonly target: Location
  readonly content: Uint8Array
  /** BLAKE3 tree hash of the content. */
  readonly hash: string
  /** Unix milliseconds of the source's last change; 0: unknown. */
  readonly modifiedMs: number
  readonly conflict: ConflictPolicy
}

/** What became of a small file; `target` has the name that was decided. */
export interface SmallFileOutcome {
  readonly state: Extract<UploadState, 'completed' | 'skipped' | 'failed'>
  readonly target: Location
  readonly error: AppError | undefined
}

/** Small files that came together. */
export interface SmallFiles {
  readonly files: readonly SmallFile[]
  /** The transfer that the sender says they belong to. */
  readonly transferId?: string | undefined
  /** What a job of the server brings is no transfer. Default false. */
  readonly isOfJob?: boolean
}

interface Item {
  readonly file: SmallFile
  target: Location
  replacedBytes: number
  isReplacement: boolean
  state: UploadState
  error: AppError | undefined
}

/**
 * Stores many small files; each is committed or refused by itself.
 * @returns outcomes in the order of `files`
 * @throws when nothing could be stored for one reason, so that the sender may try all of it again; AppError as AccountSpeeds.requireOpen()
 */
export async function storeSmallFiles(
  deps: IntakeDeps,
  ctx: UploaderCtx,
  { files, transferId, isOfJob = false }: SmallFiles,
): Promise<SmallFileOutcome[]> {
  deps.speeds.requireOpen()
  const sender = { userId: ctx.ownerId ?? ctx.principal.id, origin: originOf(ctx) }
  const items = files.map((file): Item => {
    return { file, target: file.target, replacedBytes: 0, isReplacement: false, state: 'open', error: undefined }
  })
  const faults: unknown[] = []
  /** A fault is that of the files it was about; all others are stored, and reported so, all the same. */
  const attempt: Attempt = async (group, work) => {
    try {
      await work()
    } catch (thrown) {
      faults.push(thrown)
      for (const item of group.filter(({ state }) => state === 'open')) fail(item, thrown)
    }
  }
  const folders = Map.groupBy(items, ({ target }) => folderOf(target).key)
  for (const group of folders.values()) {
    await attempt(group, () => commitFolder({ deps, sender, attempt }, group))
  }
  if (!isOfJob) noteArrival(deps, ctx, items, transferId)
  if (faults.length > 0 && items.every(({ state }) => state === 'failed')) throw faults[0]
  return items.map(({ state, target, error }) => {
    return { state: state === 'completed' || state === 'skipped' ? state : 'failed', target, error }
  })
}

function noteArrival({ traffic }: IntakeDeps, ctx: UploaderCtx, items: readonly Item[], transferId?: string): void {
  const [first] = items
  if (first === undefined) return
  const results = items.map(({ file, target: { path }, state, error }) => {
    const size = file.content.length
    if (state === 'completed') return { outcome: 'done', path, size } as const
    if (state === 'skipped') return { outcome: 'skipped', path, size } as const
    return { outcome: 'failed', path, size, code: error?.code ?? 'UPLOAD_FAILED' } as const
  })
  traffic.arrived(ctx, { ...first.target.place, results, transferId })
}

type Attempt = (items: readonly Item[], work: () => Promise<void>) => Promise<void>

function isOpen({ state }: Item): boolean {
  return state === 'open'
}

function fail(item: Item, thrown: unknown): void {
  item.error = storageError(thrown)
  item.state = 'failed'
}

interface Committing {
  readonly deps: IntakeDeps
  readonly sender: Pick<Batch, 'userId' | 'origin'>
  readonly attempt: Attempt
}

/** All files of one folder, while no other name can appear in it by our own hand. */
async function commitFolder({ deps, sender, attempt }: Committing, items: readonly Item[]): Promise<void> {
  const first = items[0]?.target
  if (first === undefined) return
  const folder = folderOf(first)
  await deps.files.locks.run(folder, async (held) => {
    const names = await namesIn(deps, folder)
    const hasLocks = await deps.files.fileLocks.hasAny(folder.place.spaceId)
    for (const item of items) {
      try {
        await choose(item, names)
        if (hasLocks && isOpen(item)) await requireUnlocked(deps, sender, item)
      } catch (thrown) {
        fail(item, thrown)
      }
    }
    for (const onConflict of ['fail', 'replace'] as const) {
      const batch = items.filter(
        (item) => isOpen(item) && (item.file.conflict === 'replace') === (onConflict === 'replace'),
      )
      if (batch.length === 0) continue
      await attempt(batch, async () => {
        const files = batch.map(({ file, target, replacedBytes, isReplacement }) => {
          return { ...file, target, replacedBytes, isReplacement }
        })
        held.throwIfAborted()
        const refusals = await commitBatch(deps, { ...sender, onConflict, files })
        for (const [index, item] of batch.entries()) {
          item.error = refusals[index]
          item.state = item.error === undefined ? 'completed' : 'failed'
        }
      })
    }
  })
}

async function requireUnlocked(
  { files }: IntakeDeps,
  { origin: { by, door } }: Committing['sender'],
  { target, isReplacement }: Item,
): Promise<void> {
  const change = { key: target.key, what: isReplacement ? 'content' : 'member' } as const
  await files.fileLocks.require(target.place.spaceId, [change], { userId: by.id, door })
}

/** What a folder holds, read once for all files of a batch; names of the batch itself count as taken. */
interface FolderNames {
  /** By their folded form. */
  readonly ofBatch: Map<string, string>
  clashes(name: string): boolean
}

async function namesIn(deps: IntakeDeps, folder: Location): Promise<FolderNames> {
  const index = await withAppErrors(() => deps.files.indexes.of(folder))
  const claimed = await deps.files.locks.claimedIn(folder)
  return {
    ofBatch: new Map(),
    clashes: (name) => index.twinsOf(name).length > 0 || claimed.like(name) !== undefined,
  }
}

/** Settles under which name a file is written. @throws AppError PATH_EXISTS, NAME_CASE_CLASH */
async function choose(item: Item, names: FolderNames): Promise<void> {
  const { conflict, target } = item.file
  for (const name of keepBothNames(nameOf(target))) {
    const to = beside(target, name)
    const look = await lookAt(to, names, conflict)
    if (look.isFree || (conflict === 'replace' && look.canReplace)) {
      if (!look.isFree) to.require('replace')
      item.target = to
      item.replacedBytes = look.bytes
      item.isReplacement = !look.isFree
      names.ofBatch.set(foldName(name), name)
      return
    }
    if (conflict === 'skip') {
      item.state = 'skipped'
      return
    }
    if (conflict !== 'keep-both') throw new AppError(look.isClash ? 'NAME_CASE_CLASH' : 'PATH_EXISTS', { name })
  }
}

async function lookAt(to: Location, names: FolderNames, conflict: ConflictPolicy) {
  const name = nameOf(to)
  const twin = names.ofBatch.get(foldName(name))
  if (twin !== undefined) return { isFree: false, isClash: twin !== name, canReplace: false, bytes: 0 }
  const isClash = names.clashes(name)
  // The storage itself refuses a name that is there, so where that is the answer wanted nobody looks first.
  if (conflict === 'fail' && !isClash) return { isFree: true, isClash, canReplace: false, bytes: 0 }
  const entry = await to.store.stat(to.key)
  if (entry !== undefined) {
    return { isFree: false, isClash: false, canReplace: entry.kind === 'file', bytes: entry.size }
  }
  return { isFree: !isClash, isClash, canReplace: false, bytes: 0 }
}
