import { useKeyedState } from '../../lib/use-keyed-state.ts'
import { NOTHING_SELECTED } from './table-selection.ts'

/**
 * What of a table is selected, as long as the same rows match: whoever selected "all that match" meant what matched then.
 * @param matching what decides which rows match, such as a folder or the filters of a list; plain data
 */
export function useTableSelection(matching: unknown) {
  const [selection, select] = useKeyedState(JSON.stringify(matching), NOTHING_SELECTED)
  return { selection, select, clear: () => select(NOTHING_SELECTED) }
}
