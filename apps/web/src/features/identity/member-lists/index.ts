export { accountColumns } from './account-columns.tsx'
export { accountsField, accountsOf } from './accounts-field.ts'
export { type MemberQuestion, MembersList } from './members-list.tsx'
