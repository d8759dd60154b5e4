import type { Rename } from './batch-rename.ts'
import { type CommandDeps, once, type OnUndoable } from './file-commands.ts'
import { type FolderView, refreshFolder } from './folder-query.ts'

/**
 * Renames entries one after the other. What the server refuses is named, the others are renamed; the message, Ctrl+Z and the
 * message history all take it back.
 */
export async function renameSeveral(
  deps: CommandDeps,
  view: FolderView,
  steps: readonly Rename[],
  onUndoable: OnUndoable,
): Promise<void> {
  const { messages, texts } = deps
  const done = await take(deps, view, steps)
  if (done.length === 0) return
  const undo = once(() => {
    const back = done.toReversed().map(({ from, to }) => ({ from: to, to: from }))
    void take(deps, view, back).then((undone) => {
      if (undone.length > 0) messages.notify('success', texts('batch.undone', { count: undone.length }))
    })
  })
  onUndoable(undo)
  messages.notify('success', texts('batch.done', { count: done.length }), { label: texts('remove.undo'), run: undo })
}

/** @returns the steps that were taken */
async function take(
  { operate, place, client, messages, texts }: CommandDeps,
  { folder }: FolderView,
  steps: readonly Rename[],
): Promise<readonly Rename[]> {
  const done: Rename[] = []
  const failures: Array<{ readonly name: string; readonly error: unknown }> = []
  for (const step of steps) {
    try {
      await operate('rename', { ...place, path: folder, oldName: step.from, newName: step.to })
      done.push(step)
    } catch (error) {
      failures.push({ name: step.from, error })
    }
  }
  await refreshFolder(client, place, folder)
  const [first] = failures
  if (first !== undefined) {
    messages.notify(
      'error',
      texts('job.failed', { count: failures.length, name: first.name, message: texts.failure(first.error) }),
    )
  }
  return done
}
