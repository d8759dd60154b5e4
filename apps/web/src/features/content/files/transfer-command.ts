import type { MessageAction } from '../../../lib/messages.ts'
import { joinPath } from '../../../lib/paths.ts'
import type { Spot } from './clipboard.ts'
import { type CommandDeps, failChange, isSettled, once, type OnUndoable } from './file-commands.ts'
import { refreshFolder } from './folder-query.ts'

export interface Transfer {
  readonly kind: 'move' | 'copy'
  readonly names: readonly string[]
  readonly from: Spot
  readonly to: Spot
  readonly conflict: 'fail' | 'replace' | 'keep-both' | 'skip'
}

/** What was moved and replaced nothing is taken back by the message and by Ctrl+Z; without `onUndoable` nothing is. */
export async function transferRows(deps: CommandDeps, transfer: Transfer, onUndoable?: OnUndoable): Promise<void> {
  const { operate, client, messages, texts, follow } = deps
  const { kind, names, from, to, conflict } = transfer
  const paths = names.map((name) => joinPath(from.folder, name))
  const targetGroupId = to.place.groupId
  try {
    const { job } = await operate(kind, { ...from.place, paths, target: to.folder, targetGroupId, conflict })
    const values = { count: names.length, name: names[0] ?? '' }
    if (isSettled(deps, await follow(job))) {
      const undo = kind === 'move' && conflict === 'fail' ? undoOf(deps, transfer, onUndoable) : undefined
      messages.notify('success', texts(`${kind}.done`, values), undo)
    }
  } catch (error) {
    const retry = (): void => void transferRows(deps, transfer, onUndoable)
    failChange(deps, error, { undone: texts(`${kind}.none`), retry })
  }
  for (const { place, folder } of [from, to]) await refreshFolder(client, place, folder)
}

function undoOf(
  deps: CommandDeps,
  { from, to, ...moved }: Transfer,
  onUndoable: OnUndoable | undefined,
): MessageAction | undefined {
  if (onUndoable === undefined) return undefined
  const run = once(() => void transferRows(deps, { ...moved, from: to, to: from }))
  onUndoable(run)
  return { label: deps.texts('action.undo'), run }
}
