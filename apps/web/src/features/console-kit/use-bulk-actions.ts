import { useState } from 'react'
import type { BoundAction } from '../../lib/actions.tsx'
import { useServices } from '../../lib/services.tsx'
import { useTexts } from '../../lib/texts.tsx'
import type { BulkAction } from './bulk.ts'
import { ROWS_MAX } from './list-source.ts'

export interface BulkActions {
  /** As the toolbar shows them while rows are selected. */
  readonly offered: readonly BoundAction[]
  /** The one that was chosen and waits for an answer. */
  readonly question: BulkAction | undefined
  readonly close: () => void
}

/**
 * What can be done with selected rows; each asks before it runs.
 * @param isTooMany whether more rows are selected than one action takes
 */
export function useBulkActions(bulk: readonly BulkAction[], isTooMany: boolean): BulkActions {
  const texts = useTexts()
  const { messages } = useServices()
  const [question, setQuestion] = useState<BulkAction>()
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
