export type { Mark } from './frames.ts'
export { MAX_DOCUMENT_BYTES, MAX_INPUT_BYTES as MAX_PICTURE_BYTES, type Edge } from './limits.ts'
export { picturesFeature } from './pictures.feature.ts'
export type { Pictures, PictureSource } from './pictures.ts'
