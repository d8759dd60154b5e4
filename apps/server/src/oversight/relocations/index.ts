export { relocationsFeature } from './relocations.feature.ts'
export { movePlaces, settleMoves, type PlaceReport, type RelocationDeps } from './relocations.service.ts'
export { forgetSpaceMove, moveLock, requireNoMoveJob, requireNoMoveTo } from './space-moves.service.ts'
