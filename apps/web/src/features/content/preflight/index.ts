export { PreflightDialog } from './lazy-dialog.tsx'
export { type Fixes, kindOf, type Preflight, type Problem } from './problems.ts'
