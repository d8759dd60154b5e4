import type { JobView } from '@godwit/contract'
import type { QueryClient } from '@tanstack/react-query'
import { isFailure, isUnreachable } from '../../../lib/http.ts'
import { joinPath, parentOf } from '../../../lib/paths.ts'
import type { Texts } from '../../../lib/texts.tsx'
import type { Spot } from './clipboard.ts'
import { folderKey, folderKeys, type FolderView } from './folder-query.ts'
import type { FilesServices } from './files-services.tsx'
import { type Listing, withName, withoutRows } from './listing.ts'

export interface CommandDeps extends FilesServices {
  readonly client: QueryClient
  readonly texts: Texts
  /** Follows a long job to its end. */
  readonly follow: (job: JobView) => Promise<JobView>
}

interface Undone {
  /** Names what did not happen. */
  readonly undone: string
  readonly retry: () => void
}

/** Without an answer the person learns what did not happen and may try again; a refusal says why by itself. */
function failChange(
  { messages, texts }: Pick<CommandDeps, 'messages' | 'texts'>,
  error: unknown,
  { undone, retry }: Undone,
): void {
  if (!isUnreachable(error)) return messages.fail(error, texts)
  messages.notify('error', `${undone} ${texts.failure(error)}`, { label: texts('common.retry'), run: once(retry) })
}

/** Shows a change at once, and takes it back with a message when the server refuses it. */
async function optimistic<Result>(
  { client, place, messages, texts }: CommandDeps,
  view: FolderView,
  change: Undone & { readonly apply: (listing: Listing) => Listing; readonly call: () => Promise<Result> },
): Promise<Result | undefined> {
  const key = folderKey(place, view)
  await client.cancelQueries({ queryKey: key })
  const before = client.getQueryData<Listing>(key)
  if (before !== undefined) client.setQueryData(key, change.apply(before))
  try {
    return await change.call()
  } catch (error) {
    client.setQueryData(key, before)
    failChange({ messages, texts }, error, change)
    return undefined
  } finally {
    await client.invalidateQueries({ queryKey: folderKeys(place, view.folder) })
  }
}

export async function renameRow(deps: CommandDeps, view: FolderView, row: number, newName: string): Promise<void> {
  const { operate, place, client, messages, texts } = deps
  const oldName = client.getQueryData<Listing>(folderKey(place, view))?.names[row]
  if (oldName === undefined) return
  const again = (): void => {
    const now = client.getQueryData<Listing>(folderKey(place, view))?.names.indexOf(oldName) ?? -1
    if (now >= 0) void renameRow(deps, view, now, newName)
  }
  const done = await optimistic(deps, view, {
    apply: (listing) => withName(listing, row, newName),
    call: () => operate('rename', { ...place, path: view.folder, oldName, newName }),
    undone: texts('rename.undone', { name: oldName }),
    retry: again,
  })
  if (done !== undefined) messages.notify('success', texts('rename.done', { name: newName }))
}

export interface Chosen {
  readonly names: readonly string[]
  readonly isGone: (row: number) => boolean
}

/** Moves rows to the recycle bin; the message, Ctrl+Z and the message history all take it back. */
export async function removeRows(
  deps: CommandDeps,
  view: FolderView,
  { names, isGone }: Chosen,
  onUndoable: (undo: () => void) => void,
): Promise<void> {
  const { operate, place, messages, texts, follow } = deps
  const paths = names.map((name) => joinPath(view.folder, name))
  const reply = await optimistic(deps, view, {
    apply: (listing) => withoutRows(listing, isGone),
    call: async () => {
      const { job, recycleIds } = await operate('remove', { ...place, paths })
      return { job: await follow(job), recycleIds }
    },
    undone: texts('remove.undone', { count: names.length, name: names[0] ?? '' }),
    retry: () => {
      const gone = new Set(names)
      const { names: now = [] } = deps.client.getQueryData<Listing>(folderKey(place, view)) ?? {}
      void removeRows(deps, view, { names, isGone: (row) => gone.has(now[row] ?? '') }, onUndoable)
    },
  })
  if (reply === undefined || !isSettled(deps, reply.job)) return
  const count = names.length
  const name = names[0] ?? ''
  const undo = once(() => void restore(deps, view.folder, reply.recycleIds, { count, name }))
  onUndoable(undo)
  messages.notify('success', texts('remove.done', { count, name }), { label: texts('remove.undo'), run: undo })
}

async function restore(
  deps: CommandDeps,
  folder: string,
  recycleIds: readonly string[],
  values: { readonly count: number; readonly name: string },
): Promise<void> {
  const { operate, place, client, messages, texts, follow } = deps
  try {
    const { job } = await operate('restore', { ...place, recycleIds: [...recycleIds] })
    if (isSettled(deps, await follow(job))) messages.notify('success', texts('remove.restored', values))
  } catch (error) {
    messages.fail(error, texts)
  }
  await client.invalidateQueries({ queryKey: folderKeys(place, folder) })
}

export interface Transfer {
  readonly kind: 'move' | 'copy'
  readonly names: readonly string[]
  readonly from: Spot
  readonly to: Spot
  readonly conflict: 'fail' | 'replace' | 'keep-both' | 'skip'
}

export async function transferRows(deps: CommandDeps, transfer: Transfer): Promise<void> {
  const { operate, client, messages, texts, follow } = deps
  const { kind, names, from, to, conflict } = transfer
  const paths = names.map((name) => joinPath(from.folder, name))
  const targetGroupId = to.place.groupId
  try {
    const { job } = await operate(kind, { ...from.place, paths, target: to.folder, targetGroupId, conflict })
    const values = { count: names.length, name: names[0] ?? '' }
    if (isSettled(deps, await follow(job))) messages.notify('success', texts(`${kind}.done`, values))
  } catch (error) {
    const retry = (): void => void transferRows(deps, transfer)
    failChange(deps, error, { undone: texts(`${kind}.none`), retry })
  }
  for (const { place, folder } of [from, to]) await client.invalidateQueries({ queryKey: folderKeys(place, folder) })
}

/** Reports what a job could not do. @returns true when it did everything */
export function isSettled({ messages, texts }: Pick<CommandDeps, 'messages' | 'texts'>, job: JobView): boolean {
  const [first] = job.failures
  if (job.state === 'cancelled') messages.notify('info', texts('job.cancelled'))
  else if (first !== undefined) {
    messages.notify('error', texts('job.failed', { count: job.failures.length, message: first.message }))
  }
  return job.state === 'completed' && first === undefined
}

export async function makeFolder(deps: CommandDeps, view: FolderView, name: string): Promise<void> {
  const { operate, place, client, messages, texts } = deps
  await operate('mkdir', { ...place, folder: view.folder, name })
  messages.notify('success', texts('new-folder.done', { name }))
  await client.invalidateQueries({ queryKey: folderKeys(place, view.folder) })
}

/** The browser saves what is behind a link. */
export function saveFrom(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}

/** By a plain link that carries its own short-lived right, so that the browser's own download manager can take it. */
export async function downloadPaths(deps: CommandDeps, paths: readonly string[]): Promise<void> {
  const { operate, place, messages, texts } = deps
  try {
    const { url } = await operate('download', { ...place, paths: [...paths] })
    saveFrom(url)
    messages.notify('info', texts('download.started'))
  } catch (error) {
    messages.fail(error, texts)
  }
}

/** The folder to open instead of a path that turned out to be a file. */
export function folderInstead(error: unknown, folder: string): string | undefined {
  return isFailure(error, 'PATH_IS_FILE') ? parentOf(folder) : undefined
}

function once(run: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    run()
  }
}
