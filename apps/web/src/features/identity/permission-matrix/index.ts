export { PermissionMatrix } from './permission-matrix.tsx'
