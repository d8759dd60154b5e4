export type { CleaningDeps, Due } from './cleaning.due.ts'
export { cleaningFeature } from './cleaning.feature.ts'
export { askForCleaning, cleaningOf, countDue, previewDue, setCleaning } from './cleaning.service.ts'
