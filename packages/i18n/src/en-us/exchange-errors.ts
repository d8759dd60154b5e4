/** Of running transfers, of folders in sync, and of rooms where two programs meet. */
export const exchangeErrors = {
  TRANSFER_TAKEN_OVER: 'This transfer goes on in another place: another tab or device took it over.',
  TRANSFER_DEADLINE_PAST: 'This time has passed. Choose a time in the future.',
  RENDEZVOUS_OFF: 'This site does not connect gwt programs.',
  RENDEZVOUS_ACCOUNT_REQUIRED: 'The receiver needs an API token of an account of this site.',
  RENDEZVOUS_ROOM_NOT_FOUND: 'No receiver waits under this number. Check the code.',
  RENDEZVOUS_ROOM_TAKEN: 'Another program is already connected under this number.',
  RENDEZVOUS_RECEIVER_AWAY: 'The receiver is not connected at the moment.',
  RENDEZVOUS_ROOM_EXPIRED:
    'Nobody came for 10 minutes, or the receiver connected anew. The number is no longer valid here.',
  RENDEZVOUS_ROOMS_LIMIT: 'Too many receivers of this account or address are waiting already.',
  RENDEZVOUS_RELAY_LIMIT: 'The relay of this site has carried as much as it may for this code.',
  SYNC_OFF: 'Keeping folders in sync is turned off here. Ask your administrator.',
} as const
