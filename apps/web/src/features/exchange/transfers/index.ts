export { ClientTransfers } from './lazy-client-transfers.tsx'
