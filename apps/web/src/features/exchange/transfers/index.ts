export { feature } from './feature.ts'
export { ClientTransfers } from './lazy-client-transfers.tsx'
export { rateField } from './rate-field.ts'
