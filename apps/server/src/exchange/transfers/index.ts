export { transfersFeature, type Transfers } from './transfers.feature.ts'
export type { Admitted, TransferDoor } from './transfer-door.ts'
export type { TransferPort } from './transfers.deps.ts'
