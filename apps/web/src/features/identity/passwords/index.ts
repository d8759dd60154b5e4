export { NewPasswordFields } from './new-password-fields.tsx'
export { type NewPassword, newPasswordFaults } from './new-password.ts'
