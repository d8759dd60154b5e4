/** Errors of the desktop client, and of its page on its own computer; a part of the catalogue. */
export const DESKTOP_CLIENT_ERRORS = {
  CLIENT_UPGRADE_FAILED: { wire: 5916, retry: 'later' },
  CLIENT_UPGRADE_BY_HAND: { wire: 6206, retry: 'change' },
  CLIENT_UPGRADE_UNTRUSTED: { wire: 6207, retry: 'change' },
  CLIENT_UPGRADE_NOT_NEWER: { wire: 6208, retry: 'never' },
  CLIENT_UPGRADE_TERMS_MISSING: { wire: 6209, retry: 'change' },
  CLIENT_UPGRADE_NOT_FETCHED: { wire: 6215, retry: 'later' },
  CLIENT_UPGRADE_ALTERED: { wire: 6216, retry: 'change' },
  CLIENT_UPGRADE_NOT_STORED: { wire: 6217, retry: 'change' },
  CLIENT_UPGRADE_NOT_STARTED: { wire: 6218, retry: 'change' },
  CLIENT_UPGRADE_ROLLED_BACK: { wire: 6219, retry: 'later' },
  CLIENT_PACKAGE_MISSING: { wire: 5921, status: 404, retry: 'later' },
  CLIENT_NOT_CONNECTED: { wire: 5917, retry: 'later' },
  LOCAL_PAGE_CLOSED: { wire: 5646, status: 401, retry: 'never' },
  LOCAL_ITEM_STATE: { wire: 5647, retry: 'never' },
  LOCAL_SERVER_AWAY: { wire: 5648, retry: 'later' },
  LOCAL_SIGNED_OUT: { wire: 5649, retry: 'change' },
} as const
