/** What an implementation of `Source` or `Target` and a service of tickets need, without the engines, the codes and the disks of `gwt`. */
export { FILE_FAULTS } from './errors/file-faults.ts'
export { TRANSFER_ERRORS } from './errors/transfer-error.ts'
export { HASH_BYTES, type HashName, type TreeHash, treeHash } from './hashes/tree-hash.ts'
export { checkPath, PathClashes } from './manifests/paths.ts'
export type * from './sources/source.ts'
export type * from './targets/target.ts'
export {
  channelClientTls,
  channelOfTicket,
  formatTicket,
  parseTicket,
  type Ticket,
  type TicketChannel,
  ticketServerTls,
} from './tickets/tickets.ts'
