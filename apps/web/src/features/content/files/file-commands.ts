import type { JobView } from '@godwit/contract'
import type { QueryClient } from '@tanstack/react-query'
import { isFailure, isUnreachable } from '../../../lib/http.ts'
import { parentOf } from '../../../lib/paths.ts'
import type { Texts } from '../../../lib/texts.tsx'
import { changeFolder, folderKey, type FolderView, refreshFolder } from './folder-query.ts'
import type { FilesServices } from './files-services.tsx'
import { type Listing, withName } from './listing.ts'

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
export function failChange(
  { messages, texts }: Pick<CommandDeps, 'messages' | 'texts'>,
  error: unknown,
  { undone, retry }: Undone,
): void {
  if (!isUnreachable(error)) return messages.fail(error, texts)
  messages.notify('error', `${undone} ${texts.failure(error)}`, { label: texts('common.retry'), run: once(retry) })
}

/** Shows a change at once, and takes it back with a message when the server refuses it. */
export async function optimistic<Result>(
  { client, place, messages, texts }: CommandDeps,
  view: FolderView,
  change: Undone & { readonly apply: (listing: Listing) => Listing; readonly call: () => Promise<Result> },
): Promise<Result | undefined> {
  return changeFolder(client, { place, folder: view.folder }, async () => {
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
    }
  })
}

export interface Renaming {
  readonly from: string
  readonly to: string
}

/** The message and Ctrl+Z take it back; without `onUndoable` nothing does. */
export async function renameEntry(
  deps: CommandDeps,
  view: FolderView,
  { from, to }: Renaming,
  onUndoable?: OnUndoable,
): Promise<void> {
  const { operate, place, messages, texts } = deps
  const done = await optimistic(deps, view, {
    apply: (listing) => withName(listing, from, to),
    call: () => operate('rename', { ...place, path: view.folder, oldName: from, newName: to }),
    undone: texts('rename.undone', { name: from }),
    retry: () => void renameEntry(deps, view, { from, to }, onUndoable),
  })
  if (done === undefined) return
  const undo = once(() => void renameEntry(deps, view, { from: to, to: from }))
  onUndoable?.(undo)
  const action = onUndoable && { label: texts('action.undo'), run: undo }
  messages.notify('success', texts('rename.done', { name: to }), action)
}

/** Reports what a job could not do. @returns true when it did everything */
export function isSettled({ messages, texts }: Pick<CommandDeps, 'messages' | 'texts'>, job: JobView): boolean {
  const [first] = job.failures
  if (job.state === 'cancelled') messages.notify('info', texts('job.cancelled'))
  else if (first !== undefined) {
    const name = first.path.slice(first.path.lastIndexOf('/') + 1)
    messages.notify('error', texts('job.failed', { count: job.failures.length, name, message: first.message }))
  }
  return job.state === 'completed' && first === undefined
}

export async function makeFolder(deps: CommandDeps, view: FolderView, name: string): Promise<void> {
  const { operate, place, client, messages, texts } = deps
  await operate('mkdir', { ...place, folder: view.folder, name })
  messages.notify('success', texts('new-folder.done', { name }))
  await refreshFolder(client, place, view.folder)
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

/** Takes a change back. @returns false when it was taken back before */
export type Undo = () => boolean
export type OnUndoable = (undo: Undo) => void

/** The message and Ctrl+Z offer the same undo: only the first of them takes the change back. */
export function once(run: () => void): Undo {
  let isDone = false
  return () => {
    if (isDone) return false
    isDone = true
    run()
    return true
  }
}
