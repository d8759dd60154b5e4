export { reconcileUsage, type UsageDifference } from './usage.service.ts'
