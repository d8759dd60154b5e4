export { rendezvousFeature, type Rendezvous } from './rendezvous.feature.ts'
export type { RendezvousSettings } from './rendezvous.settings.ts'
export type { Room, Seat } from './rooms.ts'
