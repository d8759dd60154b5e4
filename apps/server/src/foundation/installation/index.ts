export { lockDataFolder } from './data-lock.ts'
export { checkDataFolder, probeFolder } from './folder-health.ts'
export { Refused } from './refused.ts'
