export { acmeFeature, type AcmeChallenges } from './acme.feature.ts'
export { viewAcme, wantOrder } from './acme.service.ts'
