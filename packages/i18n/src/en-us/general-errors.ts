/** Of any request. */
export const generalErrors = {
  PARAMETER_INVALID: 'Some of the input is not valid. Check the marked fields and try again.',
  RATE_LIMITED: 'Too many attempts. Wait a moment and try again.',
  ORIGIN_REFUSED: 'This request came from another website, so it was refused. Open this site directly.',
  ROUTE_NOT_FOUND: 'There is nothing at this address. Check the address.',
  CONTENT_TYPE_UNSUPPORTED: 'The server does not accept data of this type. Send it in another format.',
  BODY_TOO_LARGE: 'The request is too large. Send fewer things at once.',
  INTERNAL:
    'Something went wrong on the server. Try again later; if it happens again, send the request ID to your administrator.',
  SERVICE_STOPPING: 'The server is restarting. It will be back in a moment; nothing is lost.',
  SETUP_DONE: 'This site is already set up. Sign in instead.',
  SETUP_TOKEN_WRONG: 'The setup token is wrong. Copy it again from the server output.',
  RESTART_REQUIRED: 'The change is saved and takes effect after the server restarts.',
  SITE_ACCESS_DENIED: 'This site cannot be reached from where you are. Ask your administrator.',
  HEADERS_TOO_LARGE: 'The headers of the request are too large. Clear the cookies of this site and try again.',
  SERVER_PAUSED: 'The server is paused for maintenance. New sign-ins and transfers start again once it resumes.',
  REQUEST_TIMEOUT: 'The request took too long to arrive. Try again.',
  SERVER_BUSY: 'The server is busy right now. Try again in a few seconds.',
} as const
