export { departmentsStore, type ShownDepartment } from './departments.store.ts'
export type { DepartmentRow } from './departments.schema.ts'
export { heightOf, lineOf } from './tree.policy.ts'
