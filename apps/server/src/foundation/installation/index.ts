export { lockDataFolder } from './data-lock.ts'
export { StartRefused } from './start-refused.ts'
