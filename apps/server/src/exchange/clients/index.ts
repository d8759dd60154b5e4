export { clientsFeature } from './clients.feature.ts'
export type { Clients } from './clients.service.ts'
export { CLIENT_SETTINGS, type ClientSettings } from './clients.settings.ts'
