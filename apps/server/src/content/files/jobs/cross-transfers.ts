import { isEmptyFolder, type Entry } from '@godwit/storage'
import { withAppErrors } from '../../../foundation/storages/index.ts'
import { inTransaction } from '../../../kernel/db/index.ts'
import { recordEvent } from '../../../kernel/events/index.ts'
import { folderOf, type Location } from '../../access/index.ts'
import {
  isLost,
  publishStaged,
  removeSource,
  requireStored,
  stageFile,
  type StagedFile,
} from '../../cross-storage/index.ts'
import { hashAt } from '../../quotas/index.ts'
import { noteChange } from '../files.changes.ts'
import { replacedBy, type Actor, type Change, type NewStep, type ReviseStep } from '../steps/index.ts'
import type { FileJobsDeps } from './job-deps.ts'
import type { JobProgress } from './job-progress.ts'
import type { Carrier } from './place-entry.ts'

/** A copy or move to another storage, as its job sees it. */
export interface CrossTransfer extends Pick<Carrier, 'needs'> {
  readonly deps: FileJobsDeps
  readonly kind: 'copy' | 'move'
  readonly actor: Actor
  readonly progress: JobProgress
  readonly signal: AbortSignal
  /** Whether source and target are different places: the bytes are booked anew. */
  readonly isOut: boolean
  /** Versions that do not go along with the file. */
  readonly staying: NonNullable<Change['staying']>
  readonly look: (location: Location) => Promise<Entry>
  /** Asks again for the rights of both sides, which may have changed since the last file. */
  readonly requireRights: (source: Location, folder: Location) => Promise<void>
  readonly reservation: (bytes: number) => NonNullable<NewStep['reservation']>
  readonly take: (
    change: Change,
    more: Pick<NewStep, 'reservation'>,
    act: (revise: ReviseStep) => Promise<Entry>,
  ) => Promise<Entry>
}

interface CrossCarrier extends Omit<Carrier, 'emptied'> {
  /** As that of a carrier. @returns whether the source is gone */
  emptied(source: Location, made: Location | undefined): Promise<boolean>
}

/**
 * Carries file by file: the bytes are written where nobody sees them, checked, shown in one step, and only then, for a move, is the
 * source removed. A source that cannot be removed makes a copy of it, and the job reports why.
 */
export function crossStorageCarrier(transfer: CrossTransfer): CrossCarrier {
  const { deps, kind, progress, signal } = transfer
  return {
    holdsFolder: false,
    needs: transfer.needs,
    byEntry: () => true,
    async carry({ location }, target, replace) {
      await transfer.requireRights(location, folderOf(target))
      const entry = await transfer.look(location)
      const replaced = replace ? await replacedBy(target) : undefined
      const source = { location, entry }
      const change = { kind, source, to: target, replaced, bytes: entry.size, staying: transfer.staying } as const
      const isBooked = kind === 'copy' || transfer.isOut
      const reservation = isBooked ? { reservation: transfer.reservation(entry.size) } : {}
      let stays: Error | undefined
      await transfer.take(change, reservation, async (revise) => {
        const staged = await stageFile(location, target, {
          ...{ signal, etag: entry.etag, recorded: await recordedAt(deps, location) },
          onBytes: (bytes) => progress.done({ files: 0, bytes }),
        })
        const published = await publish(transfer, { target, staged, replace, revise })
        if (kind === 'copy') return published
        await requireStored(target, staged, published)
        stays = await deps.files.locks.run(folderOf(location), () => removeSource(location, staged))
        if (stays !== undefined) await revise(undefined, { kind: 'copy' })
        return published
      })
      progress.done({ files: 1, bytes: 0 })
      if (stays !== undefined) throw stays
    },
    isCarried: (source, target) => isSameContent(deps, source, target),
    async emptied(source, made) {
      return kind === 'move' && withAppErrors(() => removeEmptied(transfer, source, made))
    },
  }
}

interface Publishing {
  readonly target: Location
  readonly staged: StagedFile
  readonly replace: boolean
  readonly revise: ReviseStep
}

async function publish({ deps }: CrossTransfer, { target, staged, replace, revise }: Publishing): Promise<Entry> {
  try {
    return await deps.files.locks.run(folderOf(target), async () => {
      const replaced = replace ? await replacedBy(target) : undefined
      await revise(replaced, { cross: { staged } })
      return publishStaged(target, staged, replaced?.etag)
    })
  } catch (thrown) {
    if (isLost(thrown)) await target.store.abortUpload(staged.upload)
    throw thrown
  }
}

function recordedAt({ db }: FileJobsDeps, { key, place }: Location) {
  return hashAt(db, { spaceIds: [place.spaceId], key })
}

/** Whether both files are what is recorded for them, and the same. */
async function isSameContent(deps: FileJobsDeps, source: Location, target: Location): Promise<boolean> {
  const [from, to] = await Promise.all([recordedAt(deps, source), recordedAt(deps, target)])
  if (from === undefined || from.hash !== to?.hash) return false
  const [read, written] = await Promise.all([source.store.stat(source.key), target.store.stat(target.key)])
  return read?.etag === from.etag && written?.etag === to.etag
}

/**
 * Removes a folder whose entries are gone. What was skipped, or came meanwhile, keeps it.
 * @returns whether it is gone
 */
async function removeEmptied(transfer: CrossTransfer, source: Location, made: Location | undefined): Promise<boolean> {
  const { deps, actor, isOut } = transfer
  const { locks, clock, db } = deps.files
  return locks.runAll([folderOf(source), source], async () => {
    if (!(await isEmptyFolder(source.store, source.key))) return false
    const entry = await source.store.stat(source.key)
    const target = await made?.store.stat(made.key)
    const { origin, userId } = actor
    const event = { ...origin, userId, kind: 'folder', size: 0, at: clock.now() } as const
    await inTransaction(db, async (tx) => {
      if (isOut) {
        const gone = { ...event, ...source.place, path: source.path, recycleId: '', isForGood: true }
        await recordEvent({ tx, clock }, 'file.deleted', gone)
      } else if (made !== undefined) {
        const tags = { etag: target?.etag ?? '', etagBefore: entry?.etag ?? '' }
        const moved = { ...event, ...tags, ...made.place, path: made.path, from: source.path, isReplacement: false }
        await recordEvent({ tx, clock }, 'file.moved', moved)
      }
    })
    await source.store.remove(source.key)
    noteChange(deps.files, source, 'gone')
    return true
  })
}
