import { lstatSync } from 'node:fs'
import { join, posix } from 'node:path'
import { ApiError } from '@godwit/sdk'
import type { TransferResult } from '@godwit/transfer'
import type { Watch } from '../profiles/preferences.ts'
import type { Queue, QueueItem } from '../queue/queue.ts'
import type { ItemParts, QueuedResult } from '../queue/runner.ts'
import {
  addingSource,
  type ConflictPlaces,
  describeConflicts,
  downloadPlaces,
  isReplaced,
  renamedIn,
  replacingSource,
  uploadPlaces,
} from '../transfers/conflicts.ts'
import type { Link } from '../transfers/connect.ts'
import type { Upload, UploadParts, UploadRules } from '../transfers/upload.ts'
import { requireWatched } from '../watch/watches.ts'

export interface QueuedDeps {
  readonly queue: Pick<Queue, 'conflicts' | 'replaced' | 'watched'>
  readonly link: Link
  /** Patterns of files that this computer leaves out. */
  readonly exclude: readonly string[]
  /** The watched folder that it belongs to. */
  readonly watch: Watch | undefined
}

type Parts = Omit<ItemParts, 'signal'>

/** Runs a transfer of the queue. Engines are loaded with the first one. */
export function runQueued(deps: QueuedDeps, item: QueueItem, parts: Parts): Promise<QueuedResult> {
  return item.direction === 'upload' ? upload(deps, item, parts) : download(deps, item, parts)
}

async function upload(
  { queue, link, exclude, watch }: QueuedDeps,
  item: QueueItem,
  parts: Parts,
): Promise<QueuedResult> {
  const { runUpload } = await import('../transfers/upload.ts')
  const { id, spaceId, groupId, paths, target } = item
  const wanted: Upload = { spaceId, groupId, roots: paths, folder: target, isSync: isSynced(watch) }
  // The page of the client says which accounts do not use them.
  const given: UploadParts = { ...parts, link, exclude, onLocked: () => undefined }
  if (!item.asks) return runUpload(given, wanted)
  const decisions = queue.conflicts.decisions(id)
  let replaced: TransferResult | undefined
  if ([...decisions.keys()].some((path) => isReplaced(decisions, path))) {
    const rules: UploadRules = {
      ...{ part: ' replacing', existing: 'overwrite', onExisting: () => undefined },
      adapt: (source) => replacingSource(source, decisions),
    }
    replaced = await runUpload({ ...given, rules }, wanted)
    queue.replaced(
      id,
      replaced.failures.map(({ path }) => path),
    )
  }
  const found = new Set<string>()
  const original = new Map([...renamedIn(decisions)].map(([path, name]) => [name, path]))
  const rules: UploadRules = {
    ...{ part: ' adding', existing: 'keep-existing' },
    adapt: (source) => addingSource(source, decisions),
    onExisting: (path) => void found.add(original.get(path) ?? path),
  }
  const added = await runUpload({ ...given, rules }, wanted)
  return withConflicts(parts, item, { result: joined(replaced, added), found, places: uploadPlaces(paths, target) })
}

async function download({ queue, link, watch }: QueuedDeps, item: QueueItem, parts: Parts): Promise<QueuedResult> {
  // It may have been queued while the drive was there.
  if (watch !== undefined) await requireWatched(watch.root)
  const { runDownload } = await import('../transfers/download.ts')
  const { id, spaceId, groupId, paths, target } = item
  const wanted = { spaceId, groupId, paths, root: target, isSync: isSynced(watch) }
  if (!item.asks) return runDownload({ ...parts, link }, wanted)
  const decisions = queue.conflicts.decisions(id)
  const renamed = renamedIn(decisions)
  const found = new Set<string>()
  const entries = paths.map((path) => posix.basename(path))
  const forgetMissing = (thrown: unknown): never => {
    // The others of them are looked for again: they had to wait for what has gone since.
    if (watch !== undefined && thrown instanceof ApiError && thrown.name === 'PATH_NOT_FOUND')
      queue.watched.forgetEntries(target, entries)
    throw thrown
  }
  const isNews = (path: string): boolean => watch === undefined || queue.watched.hasNews(target, path)
  const isOutdated = (path: string): boolean => watch !== undefined && isAsServed(queue, target, path)
  const result = await runDownload(
    {
      ...{ ...parts, link },
      rules: {
        renamed,
        existingOf: (path) => (isReplaced(decisions, path) || isOutdated(path) ? 'overwrite' : 'keep-existing'),
        onExisting(path) {
          // A new name may be taken meanwhile. What stays at this computer is asked about once for each state of the server.
          if (decisions.has(path) ? renamed.has(path) : isNews(path)) found.add(path)
        },
      },
    },
    wanted,
  ).catch(forgetMissing)
  queue.replaced(
    id,
    result.failures.map(({ path }) => path),
  )
  if (found.size === 0) queue.watched.settle(target, entries)
  return withConflicts(parts, item, { result, found, places: downloadPlaces(paths, target) })
}

/** A page keeps the folder in sync: its site may have switched that off since. */
function isSynced(watch: Watch | undefined): boolean {
  return watch?.sync !== undefined
}

/** Whether nobody has changed the file at this computer since it came from the server. */
function isAsServed({ watched }: Pick<Queue, 'watched'>, root: string, path: string): boolean {
  const found = lstatSync(join(root, ...path.split('/')), { throwIfNoEntry: false })
  if (found?.isFile() !== true) return false
  return watched.hasServed(root, { path, size: found.size, time: Math.floor(found.mtimeMs / 1000) })
}

interface Outcome {
  readonly result: TransferResult
  readonly found: ReadonlySet<string>
  readonly places: ConflictPlaces
}

async function withConflicts(
  { api }: Parts,
  item: QueueItem,
  { result, found, places }: Outcome,
): Promise<QueuedResult> {
  if (found.size === 0) return result
  const { spaceId, groupId } = item
  return {
    ...result,
    conflicts: await describeConflicts(api, { spaceId, groupId }, { paths: [...found].toSorted(), places }),
  }
}

/** Files that were replaced and files that were added are two transfers for the server and one for a person. */
function joined(first: TransferResult | undefined, second: TransferResult): TransferResult {
  if (first === undefined) return second
  return {
    ...second,
    files: first.files + second.files,
    bytes: first.bytes + second.bytes,
    keptBytes: first.keptBytes + second.keptBytes,
    failures: [...first.failures, ...second.failures],
  }
}
