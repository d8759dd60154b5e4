export { LiveTransfersPage, TransferLogPage } from './transfers.page.tsx'
