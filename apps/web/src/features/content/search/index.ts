export { SearchDialog } from './search.dialog.tsx'
export { addressOf } from './use-open-result.ts'
