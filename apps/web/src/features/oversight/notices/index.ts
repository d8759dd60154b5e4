export { Bell } from './bell.tsx'
export { feature } from './feature.tsx'
