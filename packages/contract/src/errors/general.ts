/** Errors that any request may have; a part of the catalogue. */
export const GENERAL_ERRORS = {
  PARAMETER_INVALID: { wire: 400, retry: 'change' },
  RATE_LIMITED: { wire: 5004, status: 429, retry: 'later' },
  ORIGIN_REFUSED: { wire: 5005, retry: 'never' },
  ROUTE_NOT_FOUND: { wire: 5006, status: 404, retry: 'never' },
  CONTENT_TYPE_UNSUPPORTED: { wire: 5007, status: 415, retry: 'change' },
  BODY_TOO_LARGE: { wire: 5008, status: 413, retry: 'change' },
  INTERNAL: { wire: 5009, status: 500, retry: 'later' },
  SERVICE_STOPPING: { wire: 5010, status: 503, retry: 'later' },
  SETUP_DONE: { wire: 5002, retry: 'never' },
  SETUP_TOKEN_WRONG: { wire: 5003, retry: 'change' },
  RESTART_REQUIRED: { wire: 5011, retry: 'later' },
  SITE_ACCESS_DENIED: { wire: 5012, retry: 'never' },
  HEADERS_TOO_LARGE: { wire: 5013, status: 431, retry: 'change' },
  SERVER_BUSY: { wire: 5014, status: 503, retry: 'later' },
  SERVER_PAUSED: { wire: 5015, status: 503, retry: 'later' },
  REQUEST_TIMEOUT: { wire: 5016, status: 408, retry: 'now' },
} as const
