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
  listen,
  type Listener,
  type ListenOptions,
  type UdpChoice,
} from './connections/endpoints.ts'
export { type Endpoint, type MicroClock, systemMicros } from './ports/port.types.ts'
