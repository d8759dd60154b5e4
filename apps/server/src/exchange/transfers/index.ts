export { transfersFeature, type Transfers } from './transfers.feature.ts'
export type { Admitted, TransferDoor } from './transfer-door.ts'
export { transfersSearch } from './transfers.search.ts'
export type { TransferPort } from './transfers.deps.ts'
