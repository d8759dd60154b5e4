export { feature } from './feature.ts'
export { useSpaceChoices } from './space-choices.ts'
