export { undoFeature } from './undo.feature.ts'
