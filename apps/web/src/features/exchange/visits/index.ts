export { askAhead } from './ask-ahead.ts'
export { createVisit, type Visit } from './visit.ts'
export { diskPart } from './visit-disk.part.ts'
export { VisitPage } from './visit.page.tsx'
