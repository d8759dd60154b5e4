export { carryVersionsTo } from './carry-versions.ts'
export { createKeptVersions, forgetVersion, forgetVersions, type KeptVersions } from './kept-versions.ts'
export { VERSION_SETTINGS } from './kept-versions.settings.ts'
