// Written by `npm run openapi` from the specs of the routes.
import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const adminDepartments: RouteTable<(typeof ROUTES)['adminDepartments']> = {
  list: { method: 'GET', path: '/api/admin/departments' },
  add: { method: 'POST', path: '/api/admin/departments' },
  edit: { method: 'PATCH', path: '/api/admin/departments/:departmentId' },
  remove: { method: 'POST', path: '/api/admin/departments/remove' },
}
