import { createStore, type Store } from './store.ts'

/** Pixels at the bottom of the window that a floating panel covers; long lists leave as much room after their last row. */
export const coveredBottom: Store<number> = createStore(0)
