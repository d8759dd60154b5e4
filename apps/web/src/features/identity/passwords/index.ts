export { NewPasswordFields, PasswordChangeFields } from './new-password-fields.tsx'
export { newPasswordFaults, passwordChangeFaults } from './new-password.ts'
