import type { Random } from '@godwit/base'

/** Monotonic microseconds since an arbitrary start. Never wall clock. */
export type Micros = number

/**
 * One (socket, remote address, remote port), numbered by the I/O layer.
 * The core compares these for equality and hands them back with each batch; it never looks inside.
 */
export type AddressId = number

/** One of up to 8 paths of a session: its own packet numbers, congestion control and packet size. */
export type PathId = number

/** Names a byte space of the sender: a file, or many files packed back to back. 0 to 2^32 - 1; the lower goes first. */
export type ObjectId = number

/**
 * Where one packet lies in a buffer, and which key and nonce belong to it.
 * Borrowed and reused for the next packet: an implementation must not keep it.
 */
export interface PacketView {
  buffer: Uint8Array
  /** First byte of the header, which is authenticated but not encrypted. */
  start: number
  /** First byte of the body, encrypted in place. */
  bodyStart: number
  /** One past the body. The 16-byte tag lies at [end, end + 16). */
  end: number
  pathId: PathId
  /** floor(packetNumber / 2^22). A key is bound to (direction, path, phase). */
  phase: number
  /** Full number; unique for ever on its path and direction, so it may serve as a nonce. */
  packetNumber: number
}

/** Authenticated encryption of packets, injected: the core imports no cryptography. Keys per direction, path and phase. */
export interface PacketProtection {
  /** Encrypts the body in place and writes the tag behind it. */
  seal(packet: PacketView): void
  /**
   * Optional: seals `count` packets that stand `segmentSize` bytes apart, with consecutive packet numbers.
   * `packet` describes the first; each body ends `16` bytes before the next packet starts. All are in one phase.
   */
  sealBurst?(packet: PacketView, segmentSize: number, count: number): void
  /** Checks the tag, then decrypts in place. False leaves the session unchanged; the body may be garbage afterwards. */
  open(packet: PacketView): boolean
}

/** What the sender reads file bytes from. The session keeps no data: a repair reads again. */
export interface ByteSource {
  /**
   * Copies exactly `length` bytes of `object` from `offset` to `target` at `at` and answers true,
   * or answers false at once when they are not in memory yet. The owner then loads them and calls `Session.sourceReady`.
   */
  read(object: ObjectId, offset: number, length: number, target: Uint8Array, at: number): boolean
}

/** A hierarchical ceiling shared by sessions; see `createRateLimit`. */
export interface RateLimit {
  /** Bytes that may leave now. */
  available(now: Micros): number
  take(now: Micros, bytes: number): void
  /** Earliest instant at which `bytes` may leave. */
  readyAt(now: Micros, bytes: number): Micros
  /** Bits per second of the tightest ceiling above; Infinity when none. */
  rate(): number
}

/** One ceiling (user, group, space, node, licence). Ceilings form a tree; a session draws on its leaf and so on all above. */
export interface RateCeiling extends RateLimit {
  /** Changes the rate; it holds from `now` on. Infinity lifts the ceiling. */
  setRate(now: Micros, bitsPerSecond: number): void
}

/**
 * How the sender shares the network.
 * fair: beside others as an equal. high: as two flows. low: yields at 25 ms of queue.
 * fixed: keeps a rate that an administrator gave, loss compensated up to 1.25 times.
 * A weight makes it about so many equals of its kind, where others of this protocol share the line: above 0, default 1.
 */
export type Policy =
  | { readonly kind: 'fair' | 'high' | 'low'; readonly weight?: number }
  | { readonly kind: 'fixed'; readonly bitsPerSecond: number }

/** What an earlier transfer learned about a path; keep it 24 h per peer prefix. */
export interface PathModel {
  /** Payload and headers delivered, bits per second. */
  readonly bitsPerSecond: number
  readonly minRttUs: Micros
  /** Share of packets lost without congestion, 0 to 0.2. */
  readonly lossBaseline: number
}

export type PathState =
  /** Challenge sent, no answer yet. */
  | 'probing'
  /** Validated; data may flow. */
  | 'open'
  /** No answer to any probe, or silent for the idle time. */
  | 'dead'
  /** Circuit breaker: more than half of the packets lost for 5 s. Use the TCP path. */
  | 'broken'

/** Called synchronously from onDatagram, onTimer and poll. Must not call back into the session except `consumed`. */
export interface SessionEvents {
  /** Bytes not received before. `bytes` is borrowed: copy before returning. */
  data(object: ObjectId, offset: number, bytes: Uint8Array): void
  /** The peer has received [start, end) of an object that this side sends. Each byte is reported once. */
  acked(object: ObjectId, start: number, end: number): void
  pathState(path: PathId, state: PathState): void
  /** The peer of a path answers from a new address, now validated. Old batches keep their address. */
  migrated(path: PathId, address: AddressId): void
  /** The session ended; nothing more is sent after the next poll. */
  closed(close: CloseInfo): void
}

export interface CloseInfo {
  readonly code: number
  readonly reason: string
  readonly by: 'peer' | 'self'
}

export interface SessionConfig {
  /** The client opens paths; the server answers only packets that decrypt. */
  readonly role: 'client' | 'server'
  /** 8 random bytes that the peer puts in its packets to us. */
  readonly localConnectionId: Uint8Array
  /** 8 bytes that we put in packets to the peer. */
  readonly remoteConnectionId: Uint8Array
  readonly protection: PacketProtection
  readonly random: Random
  readonly source: ByteSource
  readonly events: SessionEvents
  /** UDP payload bytes, header and tag included; 600 to 1442. Default 1442. */
  readonly maxPacketSize?: number
  /** Bytes of new data that the peer may have under way before `consumed` is called. Default 64 MiB. */
  readonly receiveWindow?: number
  readonly policy?: Policy
  readonly limit?: RateLimit
  /** Starts careful resume: at most half of the saved rate until it is validated. */
  readonly saved?: PathModel
  /** Packets of one batch, at most. Default 40 (one GSO call holds 64 segments and 64 KiB). */
  readonly maxBurst?: number
  /** Silence that kills a path. Default 30 s. */
  readonly idleTimeoutUs?: Micros
  /** Shape of the randomly lost share that is called innocent, 0 to 0.2. Default 0.2. */
  readonly maxLossBaseline?: number
}

/**
 * Datagrams for one send call: `count` of them lie in `buffer` from 0, each `segmentSize` long, the last maybe shorter.
 * Borrowed until the next poll.
 */
export interface Batch {
  readonly path: PathId
  readonly to: AddressId
  readonly buffer: Uint8Array
  readonly segmentSize: number
  readonly count: number
  /** Total bytes. */
  readonly length: number
}

/** A span of an object's bytes, end excluded. */
export interface ObjectRange {
  readonly object: ObjectId
  readonly start: number
  readonly end: number
}

/** Microseconds since the session began during which sending was held up, by cause. They add up to the session's age. */
export interface HoldTimes {
  /** `read` was not ready: sender's disk. */
  readonly source: Micros
  /** MAX_DATA of the peer: receiver's disk or memory. */
  readonly peerWindow: Micros
  /** The rate limit. */
  readonly limit: Micros
  /** Pacing or congestion window: the network. */
  readonly network: Micros
  /** Nothing to send. */
  readonly idle: Micros
}

export interface PathStats {
  readonly path: PathId
  readonly address: AddressId
  readonly state: PathState
  readonly srttUs: Micros
  readonly minRttUs: Micros
  readonly latestRttUs: Micros
  /** Share of packets lost over the last rounds, 0 to 1. */
  readonly lossRate: number
  readonly lossBaseline: number
  /** Delivered by the path, bits per second of UDP payload. */
  readonly bandwidth: number
  readonly pacingRate: number
  readonly cwndBytes: number
  readonly inFlightBytes: number
  readonly packetSize: number
  readonly phase: string
}

export interface SessionStats {
  readonly sentPackets: number
  readonly sentBytes: number
  readonly receivedPackets: number
  readonly receivedBytes: number
  readonly lostPackets: number
  /** Packets declared lost that arrived after all. */
  readonly spuriousPackets: number
  /** File bytes sent more than once, tail copies included. */
  readonly repeatedBytes: number
  readonly ackedBytes: number
  readonly newBytesReceived: number
  readonly duplicateBytesReceived: number
  /** Datagrams that were refused: foreign, forged, replayed or malformed. */
  readonly droppedDatagrams: number
  readonly held: HoldTimes
  /** What bounds the sending of data: the lower one of the own limit and the one the peer has named; Infinity without any. */
  readonly limitBitsPerSecond: number
  /** That the policy has now. */
  readonly weight: number
  readonly paths: readonly PathStats[]
}

/**
 * One GWT/1 session: sends and receives byte ranges of objects over up to 8 paths.
 * Sans I/O: the owner passes time and datagrams in, and carries batches out.
 *
 * Loop of an owner: for each datagram `onDatagram`; then `poll` until it answers undefined, sending each batch;
 * then sleep until `nextWake` or the next datagram; on waking by time call `onTimer`, then `poll` again.
 */
export interface Session {
  /** Client only: begins validation of a path to an address. Undefined when all 8 path ids are taken. */
  openPath(now: Micros, to: AddressId): PathId | undefined
  /** Client only: the path goes on from another socket or to another address; it is validated anew while data flows. */
  movePath(now: Micros, path: PathId, to: AddressId): void

  /** Takes one datagram; it is decrypted in place. False when it was refused (nothing is ever answered to those). */
  onDatagram(now: Micros, datagram: Uint8Array, from: AddressId): boolean
  /** Takes a GRO buffer: datagrams of `segmentSize` back to back, the last maybe shorter. */
  onDatagrams(now: Micros, buffer: Uint8Array, segmentSize: number, from: AddressId): void
  onTimer(now: Micros): void
  /** The next datagrams to send, or undefined when there is nothing to send at this instant. */
  poll(now: Micros): Batch | undefined
  /** When to call onTimer again; Infinity when only a datagram or a call can change anything. */
  nextWake(now: Micros): Micros

  /** Queues bytes of an object. Ranges that are already queued, under way or delivered are skipped. */
  send(object: ObjectId, start: number, end: number): void
  /** Takes bytes out of the queue that are not under way, lowest first, to carry them by another channel. */
  takePending(maxBytes: number): ObjectRange | undefined
  /** Puts bytes that `takePending` took out back into the queue: the other channel did not deliver them. */
  giveBack(object: ObjectId, start: number, end: number): void
  /** Bytes that another channel delivered: they are neither sent nor repeated any more. */
  markDelivered(object: ObjectId, start: number, end: number): void
  /** Received by another channel: later copies in datagrams are dropped as duplicates. False: more objects or holes than any transfer needs. */
  markReceived(object: ObjectId, start: number, end: number): boolean
  /** Puts everything under way back into the queue; for a change to TCP. */
  reclaim(): void
  /** Drops queue and records of an object (cancelled, or replaced since its source changed). */
  forget(object: ObjectId): void
  /** Bytes queued or under way, not yet acknowledged. */
  readonly unackedBytes: number
  /** Bytes queued and not under way. */
  readonly pendingBytes: number

  /** The byte source has loaded something it refused before. */
  sourceReady(): void
  /** The owner has disposed of received bytes; the peer's window moves on. Takes `data` bytes only, not `markReceived` ones. */
  consumed(bytes: number): void

  setPolicy(policy: Policy): void
  /** What the peer allows, below the limit of the configuration; at first everything. */
  readonly limit: RateCeiling
  /** Holds new data; acknowledgements and probes go on. */
  setPaused(paused: boolean): void
  /** What is worth saving for the next session to this peer; undefined before anything was learned. */
  model(path: PathId): PathModel | undefined
  stats(now: Micros): SessionStats
  /** Sends CLOSE on every open path with the next polls. Idempotent. */
  close(now: Micros, code: number, reason: string): void
  readonly isClosed: boolean
}
