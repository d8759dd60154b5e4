import type { BoundAction } from '../../lib/actions.tsx'
import { useServices } from '../../lib/services.tsx'
import { useTexts } from '../../lib/texts.tsx'
import { useKeyedState } from '../../lib/use-keyed-state.ts'
import type { BulkAction } from './bulk.ts'
import { ROWS_MAX } from './list-source.ts'

export interface BulkActions {
  /** As the toolbar shows them while rows are selected. */
  readonly offered: readonly BoundAction[]
  /** The one that was chosen and waits for an answer. */
  readonly question: BulkAction | undefined
  readonly close: () => void
}

export interface BulkActionsOptions {
  /** Whether more rows are selected than one action takes. */
  readonly isTooMany: boolean
  /** What decides which rows match; plain data. */
  readonly matching: unknown
}

/** What can be done with selected rows; each asks before it runs. The question ends with the selection it is about. */
export function useBulkActions(bulk: readonly BulkAction[], { isTooMany, matching }: BulkActionsOptions): BulkActions {
  const texts = useTexts()
  const { messages } = useServices()
  const [question, setQuestion] = useKeyedState<BulkAction | undefined>(JSON.stringify(matching), undefined)
  const offered = bulk.map((action): BoundAction => ({
    name: action.name,
    label: action.label,
    group: 'selection',
    icon: action.icon,
    ...(action.tone === undefined ? {} : { tone: action.tone }),
    isOffered: true,
    run: () =>
      isTooMany ? messages.notify('info', texts('console.bulk.too-many', { count: ROWS_MAX })) : setQuestion(action),
  }))
  return { offered, question, close: () => setQuestion(undefined) }
}
