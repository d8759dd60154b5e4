export { useGroupChoices } from './group-choices.ts'
export { feature } from './feature.ts'
