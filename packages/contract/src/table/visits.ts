// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const visits: RouteTable<(typeof ROUTES)['visits']> = {
  verify: { method: 'POST', path: '/api/share/link/verify/url' },
  sendCode: { method: 'POST', path: '/api/share/link/code' },
  info: { method: 'GET', path: '/api/share/link/info' },
  reportDownload: { method: 'POST', path: '/api/share/link/download/count' },
  list: { method: 'POST', path: '/api/share/visit/list' },
  sealedFiles: { method: 'POST', path: '/api/share/visit/sealed' },
  ticket: { method: 'POST', path: '/api/share/visit/ticket' },
  content: { method: 'GET', path: '/api/share/visit/content', raw: 'reply' },
  contentHead: { method: 'HEAD', path: '/api/share/visit/content', raw: 'reply' },
  preview: { method: 'POST', path: '/api/share/visit/preview' },
  viewed: { method: 'POST', path: '/api/share/visit/viewed' },
  check: { method: 'POST', path: '/api/share/visit/check' },
  thumbnail: { method: 'GET', path: '/api/share/visit/thumbnail', raw: 'reply' },
  enter: { method: 'POST', path: '/api/share/visit/enter' },
  request: { method: 'GET', path: '/api/share/visit/request' },
  mkdir: { method: 'POST', path: '/api/share/visit/mkdir' },
  leave: { method: 'POST', path: '/api/share/visit/leave' },
  plain: { method: 'GET', path: '/api/share/link/:linkId/content', raw: 'reply' },
  plainHead: { method: 'HEAD', path: '/api/share/link/:linkId/content', raw: 'reply' },
}
