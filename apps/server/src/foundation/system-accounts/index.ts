export { createSystemAccounts, SystemAccountsFault, type SystemAccounts } from './system-accounts.ts'
