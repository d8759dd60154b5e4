export { useDepartmentChoices } from './departments-query.ts'
export { feature } from './feature.ts'
