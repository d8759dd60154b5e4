export { createAccountSpeeds, type AccountSpeeds } from './account-speeds.ts'
export { createPaceBucket, everyPace, paceUntil, type Pace } from './pace.ts'
export { createLicensedTransfers } from './licensed-transfers.ts'
