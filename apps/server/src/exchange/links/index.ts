export { linksFeature } from './links.feature.ts'
export type { ChangeDeps } from './links.changes.ts'
export {
  changeRegistered,
  registeredLink,
  searchRegister,
  type RegisterDeps,
  type RegisteredLink,
} from './links.register.ts'
export { retagTargets } from './link-targets.store.ts'
export { LINK_SETTINGS } from './links.settings.ts'
