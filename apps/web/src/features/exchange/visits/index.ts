export { createVisit, type Visit } from './visit.ts'
export { VisitPage } from './visit.page.tsx'
