import { createStore } from '../../../lib/store.ts'

/** Who must set a new password before the first sign-in, and the password they just gave. */
export interface Handover {
  readonly account: string
  readonly oldPassword: string
}

/** Kept in memory alone: never in the address, never stored. A reload forgets it, and /reset-password leads back to /signin. */
export const handover = createStore<Handover | undefined>(undefined)
