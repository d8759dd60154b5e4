export { NewPasswordFields } from './new-password-fields.tsx'
export { newPasswordFaults } from './new-password.ts'
