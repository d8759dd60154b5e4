export type {
  ByteChannel,
  CarrierMode,
  ChannelOwner,
  ChannelStats,
  PathReason,
  PathReport,
} from './connections/channel.types.ts'
export { Connection, type ConnectionSettings } from './connections/connection.ts'
export {
  connect,
  type ConnectOptions,
  type Decision,
  ENCRYPTION_WANTED,
  listen,
  type Listener,
  type ListenOptions,
  RefusedError,
  type UdpChoice,
} from './connections/endpoints.ts'
export { type Challenge, type ClientProof, ProofError } from './connections/proof.types.ts'
export { networkOf } from './control/half-open.ts'
export { type Endpoint, type MicroClock, systemMicros } from './ports/port.types.ts'
