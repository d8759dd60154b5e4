import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'

const list = lazyModule(() => import('./client-transfers.tsx'))

export const ClientTransfers = lazyPart(list, (module) => module.ClientTransfers)
