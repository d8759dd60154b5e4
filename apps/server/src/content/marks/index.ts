export { marksFeature } from './marks.feature.ts'
