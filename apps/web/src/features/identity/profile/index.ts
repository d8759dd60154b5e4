export { feature } from './feature.tsx'
