export type {
  ByteChannel,
  CarrierMode,
  ChannelOwner,
  ChannelStats,
  PathReason,
  PathReport,
} from './connections/channel.types.ts'
export { Connection, type ConnectionSettings, NO_DIRECT_WAY } from './connections/connection.ts'
export {
  connect,
  type ConnectOptions,
  listen,
  type Listener,
  type ListenOptions,
  secureLine,
  type SecuredLine,
} from './connections/endpoints.ts'
export { RefusedError } from './connections/introduce.ts'
export type { UdpChoice } from './connections/set-up.ts'
export { acceptThrough, connectThrough, type Relay } from './connections/through.ts'
export { type Decision, ENCRYPTION_WANTED } from './connections/welcome.ts'
export { type Challenge, type ClientProof, ProofError } from './connections/proof.types.ts'
export type { Reflector } from './direct/find-way.ts'
export { TICKET_BYTES } from './direct/probes.ts'
export { networkOf } from './control/half-open.ts'
export { type Endpoint, type MicroClock, systemMicros } from './ports/port.types.ts'
