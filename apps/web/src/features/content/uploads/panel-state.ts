import { readStored, writeStored } from '../../../lib/storage.ts'
import { createStore, type Store } from '../../../lib/store.ts'

/** How the upload panel is shown. */
export interface PanelState {
  /** Its rows are shown, not its head alone. */
  readonly isExpanded: boolean
  /** Put away by the person, until something new is uploaded. */
  readonly isClosed: boolean
}

const KEY = 'godwit.upload-panel'
const EXPANDED = 'expanded'
const CLOSED = 'closed'

/** Collapsed in a browser that never showed it; from then on as it was left, over reloads too. */
export function createPanelState(): Store<PanelState> {
  const words = (readStored(KEY) ?? '').split(' ')
  const state = createStore<PanelState>({ isExpanded: words.includes(EXPANDED), isClosed: words.includes(CLOSED) })
  state.subscribe(() => {
    const { isExpanded, isClosed } = state.get()
    const next = [...(isExpanded ? [EXPANDED] : []), ...(isClosed ? [CLOSED] : [])].join(' ')
    writeStored(KEY, next === '' ? undefined : next)
  })
  return state
}
