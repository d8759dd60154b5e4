import type { MessageAction } from '../../../lib/messages.ts'
import { joinPath } from '../../../lib/paths.ts'
import type { Spot } from './spot.ts'
import { type CommandDeps, failChange, isSettled, once, type OnUndoable } from './file-commands.ts'
import { refreshFolder } from './folder-query.ts'

export interface Transfer {
  readonly kind: 'move' | 'copy'
  readonly names: readonly string[]
  readonly from: Spot
  readonly to: Spot
  readonly conflict: 'fail' | 'replace' | 'keep-both' | 'skip'
}

/** A move or copy whose target is known: taken names are asked about, then it is done. */
export interface Settlement extends Omit<Transfer, 'conflict'> {
  readonly id: number
}

/** Where the server can take it back the message and Ctrl+Z do; without `onUndoable` nothing does. */
export async function transferRows(deps: CommandDeps, transfer: Transfer, onUndoable?: OnUndoable): Promise<void> {
  const { operate, messages, texts, follow } = deps
  const { kind, names, from, to, conflict } = transfer
  const paths = names.map((name) => joinPath(from.folder, name))
  const targetGroupId = to.place.groupId
  try {
    const { job } = await operate(kind, { ...from.place, paths, target: to.folder, targetGroupId, conflict })
    const done = await follow(job)
    if (isSettled(deps, done)) {
      const undo = done.canUndo === true ? undoOf(deps, transfer, { jobId: done.jobId, onUndoable }) : undefined
      messages.notify('success', texts(`${kind}.done`, valuesOf(transfer)), undo)
    }
  } catch (error) {
    const retry = (): void => void transferRows(deps, transfer, onUndoable)
    failChange(deps, error, { undone: texts(`${kind}.none`), retry })
  }
  await refreshBoth(deps, transfer)
}

interface Undoable {
  readonly jobId: string
  readonly onUndoable: OnUndoable | undefined
}

function undoOf(deps: CommandDeps, transfer: Transfer, { jobId, onUndoable }: Undoable): MessageAction | undefined {
  if (onUndoable === undefined) return undefined
  const run = once(() => void takeBack(deps, transfer, jobId))
  onUndoable(run)
  return { label: deps.texts('action.undo'), run }
}

/** The server acts on what it made and leaves alone what was changed since. */
async function takeBack(deps: CommandDeps, transfer: Transfer, jobId: string): Promise<void> {
  const { operate, messages, texts, follow } = deps
  try {
    const { job } = await operate('undo', { jobId })
    if (isSettled(deps, await follow(job))) messages.notify('success', texts(undoneText(transfer), valuesOf(transfer)))
  } catch (error) {
    const retry = (): void => void takeBack(deps, transfer, jobId)
    failChange(deps, error, { undone: texts(`${transfer.kind}.kept`), retry })
  }
  await refreshBoth(deps, transfer)
}

function undoneText({ kind, conflict }: Transfer) {
  return kind === 'copy' && conflict === 'replace' ? 'copy.undone-replaced' : (`${kind}.undone` as const)
}

function valuesOf({ names }: Transfer) {
  return { count: names.length, name: names[0] ?? '' }
}

async function refreshBoth({ client }: CommandDeps, { from, to }: Transfer): Promise<void> {
  for (const { place, folder } of [from, to]) await refreshFolder(client, place, folder)
}
