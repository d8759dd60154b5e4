import type { SOCKET_SESSION_ENDED as SessionEnded } from '@godwit/contract'

/** Close code of a socket whose session ended. The contract's own constant stands beside schemas that a page does not load. */
export const SOCKET_SESSION_ENDED: typeof SessionEnded = 4401
