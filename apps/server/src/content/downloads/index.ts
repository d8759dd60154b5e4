export { downloadsFeature } from './downloads.feature.ts'
