export { ConflictDialog } from './lazy-dialog.tsx'
export { type Conflict, type ConflictChoice, type Resolution, useConflicts } from './use-conflicts.ts'
