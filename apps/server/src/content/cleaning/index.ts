export { CLEANING_BASES, CLEANING_DAYS } from './cleaning.policy.ts'
export { cleaningFeature } from './cleaning.feature.ts'
export { countDue, setCleaning } from './cleaning.service.ts'
