export { downloadsFeature, type RunningDownloads } from './downloads.feature.ts'
