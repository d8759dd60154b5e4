export { createAccountSpeeds, type AccountSpeeds, type Pace } from './account-speeds.ts'
