import type { ByteSource, ObjectId, PathStats, Policy, SessionStats } from '../../core/index.ts'

/** Which network path new bytes take. */
export type CarrierMode = 'udp' | 'tcp'

/** The path in use and why, for people. `reason` is a stable key; `text` says it in words with its numbers. */
export interface PathReport {
  readonly mode: CarrierMode
  readonly reason: PathReason
  readonly text: string
  /** TLS streams that carry data; 0 while UDP does. */
  readonly tcpStreams: number
  /** Set when a third party carries the control stream: whether data passes it by. */
  readonly way?: 'direct' | 'relay'
}

export type PathReason =
  | 'udp-open'
  | 'udp-off'
  | 'udp-waiting'
  | 'udp-blocked'
  | 'udp-silent'
  | 'udp-broken'
  | 'udp-slowed'
  | 'peer-chose'

/** What carries byte ranges of objects between two peers: reliable, in any order, over UDP or TLS streams. */
export interface ByteChannel {
  /** Begins to carry. Until then nothing the peer sent is lost. */
  start(owner: ChannelOwner): void
  /** Queues bytes of an object. They are read from `owner.source` when their turn comes, maybe more than once. */
  send(object: ObjectId, start: number, end: number): void
  /** Bytes given to `owner.data` that are disposed of. Every byte given counts, also a repeated one. */
  consumed(bytes: number): void
  /** The source has loaded something it refused before. */
  sourceReady(): void
  forget(object: ObjectId): void
  setPaused(isPaused: boolean): void
  setPolicy(policy: Policy): void
  /** How fast the peer may send from now on; Infinity: as fast as it can. A peer of an earlier version does not know. */
  setReceiveRate(bitsPerSecond: number): void
  /** The weight of the peer's policy from now on, from 0.01 to 655, to hundredths. A peer of an earlier version does not know. */
  setReceiveWeight(weight: number): void
  readonly pendingBytes: number
  readonly unackedBytes: number
  readonly path: PathReport
  stats(): ChannelStats
  /** Tells the peer and releases everything. Idempotent. */
  close(code: number, reason: string): void
}

export interface ChannelOwner {
  readonly source: ByteSource
  /** Received bytes; the same byte may come twice, over two paths. Borrowed: copy before returning. */
  data(object: ObjectId, offset: number, bytes: Uint8Array): void
  /** The peer has [start, end) of an object of this side. May be said twice, once for each path. */
  acked(object: ObjectId, start: number, end: number): void
  pathChanged(report: PathReport): void
  /** The peer is gone or has said why it goes. Called once. */
  closed(close: { readonly code: number; readonly reason: string; readonly by: 'peer' | 'self' | 'network' }): void
}

export interface ChannelStats {
  readonly session: SessionStats
  readonly udp: PathStats | undefined
  readonly tcpSentBytes: number
  readonly tcpTakenBytes: number
  readonly tcpReceivedBytes: number
  readonly path: PathReport
  /** What seals packets and what moves them, in words. */
  readonly engines: string
}

/** The owner as the two carriers see it: there from the beginning, whoever stands behind it later. */
export interface ChannelLink extends ByteSource {
  data(object: ObjectId, offset: number, bytes: Uint8Array): void
  acked(object: ObjectId, start: number, end: number): void
}
