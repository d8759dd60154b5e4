export { type SealedBodies } from './sealed-bodies.ts'
export { sealedBodiesFeature, type Sealing } from './sealed-bodies.feature.ts'
export { SEALING_SETTINGS } from './sealing.settings.ts'
