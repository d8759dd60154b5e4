export { movePlaces, settleMoves, type PlaceReport, type RelocationDeps } from './relocations.service.ts'
