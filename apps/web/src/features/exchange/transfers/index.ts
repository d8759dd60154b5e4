export { feature } from './feature.ts'
export { ClientTransfers } from './lazy-client-transfers.tsx'
export { priorityField, priorityIn } from './priority-field.ts'
export { rateField } from './rate-field.ts'
