export { personalHome } from './personal-place.ts'
export { createAccess, type Access, type JudgedPath, type RulesSource } from './access.ts'
export { followInRules } from './followed-rules.ts'
export { find, requireEntry, requireFolder, type Found } from './find.ts'
export { foldName } from './fold-name.ts'
export {
  folderOf,
  isWithin,
  nameOf,
  newWithin,
  sameEntry,
  storedAs,
  takesNew,
  within,
  type Location,
} from './location.ts'
export { requireNothingHidden, shownEntries } from './hidden-entries.ts'
export { patternFault } from './patterns.ts'
export { newName, pathNames, rawNames, unreachable } from './names.ts'
export { flagsAt, NO_CAP } from './grants.policy.ts'
export type { Need } from './needs.ts'
export {
  groupOfMount,
  mountOfGroup,
  placeAt,
  placeFor,
  placeOf,
  storeOf,
  wireGroupOf,
  type Place,
  type PlaceIds,
  type PlaceResolver,
  type Standing,
} from './places.ts'
export { compileRules } from './rules.ts'
export { siteAndAccountRules } from './site-types.ts'
export { SITE_TYPE_SETTINGS } from './site-types.settings.ts'
export type { GuestFile, GuestFolder } from './access.ts'
