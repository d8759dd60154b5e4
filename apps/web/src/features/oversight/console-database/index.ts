export { feature } from './feature.ts'
