export { filterFields } from './filter-fields.tsx'
export { FILTER_FIELDS, type FilterField, filtersFrom, filterValuesOf, NO_FILTERS } from './filter-values.ts'
export { speedFields } from './speed-fields.tsx'
export { speedOf, type SpeedValues, speedValuesOf } from './speed-values.ts'
