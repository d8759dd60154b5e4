export { accountColumns } from './account-columns.tsx'
export { accountsField, accountsOf } from './accounts-field.ts'
export { inCalls } from './in-calls.ts'
export { type MemberQuestion, MembersList } from './members-list.tsx'
