/** Errors of running transfers, of folders in sync, and of rooms where two programs meet; a part of the catalogue. */
export const EXCHANGE_ERRORS = {
  TRANSFER_TAKEN_OVER: { wire: 5925, retry: 'never' },
  TRANSFER_DEADLINE_PAST: { wire: 6220, retry: 'change' },
  RENDEZVOUS_OFF: { wire: 6230, retry: 'never' },
  RENDEZVOUS_ACCOUNT_REQUIRED: { wire: 6231, retry: 'sign-in' },
  RENDEZVOUS_ROOM_NOT_FOUND: { wire: 6232, retry: 'change' },
  RENDEZVOUS_ROOM_TAKEN: { wire: 6233, retry: 'later' },
  RENDEZVOUS_RECEIVER_AWAY: { wire: 6234, retry: 'later' },
  RENDEZVOUS_ROOM_EXPIRED: { wire: 6235, retry: 'never' },
  RENDEZVOUS_ROOMS_LIMIT: { wire: 6236, retry: 'later' },
  RENDEZVOUS_RELAY_LIMIT: { wire: 6237, retry: 'never' },
  SYNC_OFF: { wire: 6238, retry: 'never' },
} as const
