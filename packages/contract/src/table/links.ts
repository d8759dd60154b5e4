// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const links: RouteTable<(typeof ROUTES)['links']> = {
  create: { method: 'POST', path: '/api/share/link/create' },
  edit: { method: 'POST', path: '/api/share/link/edit' },
  list: { method: 'GET', path: '/api/share/link/list' },
  detail: { method: 'GET', path: '/api/share/link/detail' },
  sealedFiles: { method: 'POST', path: '/api/share/link/sealed' },
  uses: { method: 'GET', path: '/api/share/link/uses' },
  recipients: { method: 'GET', path: '/api/share/link/recipients' },
  request: { method: 'GET', path: '/api/share/link/request' },
  people: { method: 'GET', path: '/api/share/link/people' },
  mailAgain: { method: 'POST', path: '/api/share/link/mail' },
  previewMail: { method: 'POST', path: '/api/share/link/mail/preview' },
  remind: { method: 'POST', path: '/api/share/link/remind' },
  extend: { method: 'POST', path: '/api/share/link/extend' },
  remove: { method: 'POST', path: '/api/share/link/delete' },
  cancel: { method: 'PATCH', path: '/api/share/link/cancel' },
  cancelTwin: { method: 'POST', path: '/api/share/link/cancel' },
  enable: { method: 'POST', path: '/api/share/link/enable' },
  unbind: { method: 'POST', path: '/api/share/link/unbind' },
  downloadCount: { method: 'GET', path: '/api/share/link/download/count' },
}
