import { inputCode } from '../input-codes.ts'
import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'
import { revision } from './console-lists.ts'

/** Characters of the name of a department, and levels of the tree. */
export const DEPARTMENT_LIMITS = { nameMax: 64, depthMax: 20 } as const

/** Where departments come from: made here, by a sign-in or synchronization of a directory or provider, or by a SCIM client. */
export const DEPARTMENT_SOURCES = ['local', 'ldap', 'scim'] as const
export type DepartmentSource = (typeof DEPARTMENT_SOURCES)[number]

const department = z.object({
  id: z.int(),
  /** 0: at the root. */
  parentId: z.int(),
  name: z.string(),
  /** Only those of `local` are edited here. */
  source: z.enum(DEPARTMENT_SOURCES),
  /** Accounts of the department itself. */
  users: z.int(),
  revision,
})
export type AdminDepartment = z.infer<typeof department>

const name = z.string().trim().min(1).max(DEPARTMENT_LIMITS.nameMax, inputCode('NAME_TOO_LONG'))
const parentId = z.int().min(0)
const newDepartment = z.strictObject({ name, parentId: parentId.default(0) })
export type NewDepartment = z.infer<typeof newDepartment>
const departmentChange = z.strictObject({ revision, name: name.optional(), parentId: parentId.optional() })
export type DepartmentChange = z.infer<typeof departmentChange>
const FIELD_ERRORS = [
  'DEPARTMENT_NOT_FOUND',
  'DEPARTMENT_NAME_DUPLICATE',
  'DEPARTMENT_NAME_INVALID',
  'DEPARTMENT_INTEGRATED',
  'DEPARTMENT_CYCLE',
] as const

export const departmentRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/admin/departments',
    summary: 'The whole tree, level by level in no order of its own',
    access: { right: 'departments.view' },
    reply: z.object({ departments: z.array(department) }),
    errors: [],
  }),
  add: defineRoute({
    method: 'POST',
    path: '/api/admin/departments',
    summary: 'Add a department',
    access: { right: 'departments.edit' },
    log: 'department.add',
    body: newDepartment,
    reply: z.object({ department }),
    errors: FIELD_ERRORS,
  }),
  edit: defineRoute({
    method: 'PATCH',
    path: '/api/admin/departments/:departmentId',
    summary: 'Rename a department, or move it with all below it',
    access: { right: 'departments.edit' },
    log: 'department.edit',
    params: z.object({ departmentId: z.coerce.number().int().min(1) }),
    body: departmentChange,
    reply: z.object({ department }),
    errors: [...FIELD_ERRORS, 'EDIT_CONFLICT'],
  }),
  remove: defineRoute({
    method: 'POST',
    path: '/api/admin/departments/remove',
    summary: 'Remove a department with nothing below it; its people have none from then on',
    access: { right: 'departments.edit' },
    log: 'department.remove',
    body: z.strictObject({ departmentId: z.int().min(1) }),
    /** Accounts that were in it. */
    reply: z.object({ users: z.int() }),
    errors: ['DEPARTMENT_NOT_FOUND', 'DEPARTMENT_INTEGRATED', 'DEPARTMENT_HAS_CHILDREN'],
  }),
}
