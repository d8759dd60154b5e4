import { joinPath } from '../../../lib/paths.ts'
import { type CommandDeps, isSettled, once, type OnUndoable, optimistic } from './file-commands.ts'
import { type FolderView, refreshFolder } from './folder-query.ts'
import { withoutRows } from './listing.ts'

/** Whatever shows the bin of a place reads under a key that begins with these. */
export const RECYCLE_KEYS = ['recycled']

/** Moves rows to the recycle bin; the message, Ctrl+Z and the message history all take it back. */
export async function removeRows(
  deps: CommandDeps,
  view: FolderView,
  names: readonly string[],
  onUndoable: OnUndoable,
): Promise<void> {
  const { operate, place, client, messages, texts, follow } = deps
  const paths = names.map((name) => joinPath(view.folder, name))
  const gone = new Set(names)
  const reply = await optimistic(deps, view, {
    apply: (listing) => withoutRows(listing, (row) => gone.has(listing.names[row] ?? '')),
    call: async () => {
      const { job, recycleIds } = await operate('remove', { ...place, paths })
      return { job: await follow(job), recycleIds }
    },
    undone: texts('remove.undone', { count: names.length, name: names[0] ?? '' }),
    retry: () => void removeRows(deps, view, names, onUndoable),
  })
  // The rows left the list at once, so the bin may have been opened before they were in it.
  void client.invalidateQueries({ queryKey: RECYCLE_KEYS })
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
  void client.invalidateQueries({ queryKey: RECYCLE_KEYS })
  await refreshFolder(client, place, folder)
}
