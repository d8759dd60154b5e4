export { quotasFeature } from './quotas.feature.ts'
export { createQuotas, type Quotas } from './quotas.service.ts'
