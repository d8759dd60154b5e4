export { relocationsFeature } from './relocations.feature.ts'
export { movePlaces, settleMoves, type PlaceReport, type RelocationDeps } from './relocations.service.ts'
export { finishSpaceSwitches } from './space-switch.ts'
export { forgetSpaceMove, moveLock, requireNoMoveJob, requireNoMoveTo } from './space-moves.service.ts'
