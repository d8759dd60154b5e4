import { useEffect, useRef, useState } from 'react'
import { joinPath } from '../../../lib/paths.ts'
import { type Conflict, ConflictDialog, type Resolution } from '../conflicts/index.ts'
import { isSamePlace } from './spot.ts'
import type { CommandDeps, OnUndoable } from './file-commands.ts'
import { type Settlement, transferRows } from './transfer-command.ts'

export interface SettleProps {
  readonly settlement: Settlement
  readonly deps: CommandDeps
  /** Whether the question may be shown; else it waits. */
  readonly mayAsk: boolean
  readonly onUndoable: OnUndoable
  readonly onAnswered: () => void
  readonly onClose: () => void
}

/**
 * Looks for taken names at the target, asks about them, and moves or copies. Copying into the same folder keeps both. Where
 * nothing has to be asked it is done, whatever the person does meanwhile; a question that nobody can answer any more is reported.
 */
export function Settle(props: SettleProps) {
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([])
  // What it was given at first is what it settles.
  const first = useRef<SettleProps | undefined>(props)
  const page = useRef<PageState>({ isOpen: false })
  useEffect(() => {
    const state = page.current
    state.isOpen = true
    const begun = first.current
    first.current = undefined
    if (begun !== undefined) begin(begun, state, setConflicts)
    return () => {
      state.isOpen = false
      if (state.unanswered !== undefined) reportNone(state.unanswered)
    }
  }, [])
  const answer = (resolution: Resolution): void => {
    page.current.unanswered = undefined
    props.onClose()
    props.onAnswered()
    if (resolution === undefined) reportNone(props)
    else void transferByChoice(props, resolution)
  }
  return props.mayAsk && conflicts.length > 0 ? <ConflictDialog conflicts={conflicts} answer={answer} /> : null
}

interface PageState {
  isOpen: boolean
  /** What the person is asked about. */
  unanswered?: SettleProps | undefined
}

function begin(begun: SettleProps, page: PageState, ask: (conflicts: readonly Conflict[]) => void): void {
  const { deps, onClose } = begun
  const question = (found: readonly Conflict[]): void => {
    if (!page.isOpen) return reportNone(begun)
    page.unanswered = begun
    ask(found)
  }
  settle(begun, question).catch((error: unknown) => {
    onClose()
    deps.messages.fail(error, deps.texts)
  })
}

function reportNone({ deps: { messages, texts }, settlement }: SettleProps): void {
  messages.notify('info', texts(`${settlement.kind}.none`))
}

async function settle(
  { deps, settlement, onUndoable, onClose }: SettleProps,
  ask: (conflicts: readonly Conflict[]) => void,
): Promise<void> {
  const { kind, from, to } = settlement
  const isSameFolder = from.folder === to.folder && isSamePlace(from.place, to.place)
  if (isSameFolder && kind === 'move') return onClose()
  const isDuplicate = isSameFolder && kind === 'copy'
  const found = isDuplicate ? [] : await conflictsAt(deps, settlement)
  if (found.length > 0) return ask(found)
  onClose()
  const conflict = isDuplicate ? 'keep-both' : 'fail'
  await transferRows(deps, { ...settlement, conflict }, onUndoable)
}

async function conflictsAt({ operate }: CommandDeps, { names, from, to }: Settlement): Promise<readonly Conflict[]> {
  const pathsAt = (folder: string): string[] => names.map((name) => joinPath(folder, name))
  const there = await operate('exists', { ...to.place, paths: pathsAt(to.folder) })
  if (there.items.length === 0) return []
  const here = await operate('exists', { ...from.place, paths: pathsAt(from.folder) })
  const incoming = new Map(here.items.map((item) => [item.name, item]))
  return there.items.map((item) => ({
    path: item.name,
    existing: { size: item.file_type === 'File' ? item.size : undefined, time: item.time },
    incoming: {
      size: incoming.get(item.name)?.file_type === 'File' ? incoming.get(item.name)?.size : undefined,
      time: incoming.get(item.name)?.time ?? 0,
    },
  }))
}

/** One call for each way of treating a taken name; names that are free go along with the first. */
async function transferByChoice(
  { deps, settlement: { kind, names, from, to }, onUndoable }: SettleProps,
  resolution: NonNullable<Resolution>,
): Promise<void> {
  for (const conflict of ['fail', 'replace', 'keep-both'] as const) {
    const chosen = names.filter((name) => (resolution.byPath.get(name) ?? 'fail') === conflict)
    if (chosen.length > 0) await transferRows(deps, { kind, names: chosen, from, to, conflict }, onUndoable)
  }
}
