export {
  movePlaces,
  settleMoves,
  type PlaceReport,
  type RelocationDeps,
  type SettledMove,
} from './relocations.service.ts'
