export { MAX_INPUT_BYTES as MAX_PICTURE_BYTES, type Edge } from './limits.ts'
export { picturesFeature } from './pictures.feature.ts'
export type { Pictures } from './pictures.ts'
