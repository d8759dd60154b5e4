export { createAccountSpeeds, type AccountSpeeds } from './account-speeds.ts'
export { paceUntil, type Pace } from './pace.ts'
