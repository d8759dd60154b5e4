export { DataTable } from './data-table.tsx'
export { type Column, TIME_WIDTH } from './table-props.ts'
export {
  ALL_SELECTED,
  isRowSelected,
  NOTHING_SELECTED,
  selectedRowCount,
  type TableSelection,
} from './table-selection.ts'
export { useTableSelection } from './use-table-selection.ts'
