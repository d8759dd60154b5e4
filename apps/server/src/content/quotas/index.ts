export { createQuotas, type Quotas } from './quotas.service.ts'
