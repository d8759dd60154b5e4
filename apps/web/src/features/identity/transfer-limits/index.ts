export { filterFields } from './filter-fields.tsx'
export { FILTER_FIELDS, type FilterField, filtersFrom, filterValuesOf, NO_FILTERS } from './filter-values.ts'
export { periodsField, speedFields } from './speed-fields.tsx'
export {
  NO_SPEED,
  periodRowsText,
  periodsOf,
  speedOf,
  type SpeedValues,
  speedValuesOf,
  weightOf,
} from './speed-values.ts'
