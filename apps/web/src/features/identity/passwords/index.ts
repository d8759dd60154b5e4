export { NewPasswordField, NewPasswordFields, PasswordChangeFields } from './new-password-fields.tsx'
export { newPasswordFaults, type PasswordChange, passwordChangeFaults, type PasswordRule } from './new-password.ts'
