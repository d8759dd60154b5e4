// One piece: the two carriers, the choice between them, the control stream and who carries it share all their state.
import {
  CLOSE_CODES,
  createSession,
  DEFAULT_WINDOW,
  type Micros,
  type ObjectId,
  type PathModel,
  type PathState,
  type Policy,
  type RateLimit,
  type Session,
} from '../../core/index.ts'
import type { Random } from '@godwit/base'
import { CONTROL, type FrameHandler, type FrameStream } from '../control/frame-stream.ts'
import { readClose, readCount, readWeight, writeClose, writeCount, writeWeight } from '../control/messages.ts'
import { readCandidates } from '../direct/candidates.ts'
import type { DirectWay } from '../direct/direct-way.types.ts'
import type { Endpoint, MicroClock, Received } from '../ports/port.types.ts'
import type { Suite } from '../suites/portable.suite.ts'
import type { ByteChannel, CarrierMode, ChannelLink, ChannelOwner, ChannelStats, PathReport } from './channel.types.ts'
import { type PathDecision, PathSwitch } from './path-switch.ts'
import { describePath } from './path-text.ts'
import { TcpCarrier } from './tcp-carrier.ts'
import type { HubClient, UdpHub } from './udp-hub.ts'
import { OwnAddress } from './own-address.ts'
import { UdpLink } from './udp-link.ts'

/** Between two looks at the choice of path. */
const SWITCH_TICK_MS = 100
/** While UDP is on trial, only this much may be on the control stream: it would be stuck there on a lossy line. */
const TRIAL_BYTES = 64 * 1024
/** A client probes a silent UDP path this often. */
const RETRY_UDP_US: Micros = 5_000_000
/** Keeps the control stream and what lies between alive. */
const PING_US: Micros = 15_000_000

/** What a peer may send before it has proven who it is. */
const UNPROVEN_BYTES = 256 * 1024
/** What is kept of it; a peer that keeps to its credit sends less. */
const MAX_HELD_BYTES = 1024 * 1024

/** The rate limit is checked again after this long at the latest: it may have been raised. */
const MAX_HOLD_MS = 500

/** Without a direct way for this long, a connection that must not use the relay ends. */
const NO_WAY_US: Micros = 5_000_000

/** What a connection knows of the third party that carries its control stream. */
export interface ThroughParts {
  /** False: data goes the direct way or not at all. */
  readonly isRelayAllowed: boolean
  /** Undefined: UDP is off. */
  readonly way: DirectWay | undefined
}

export interface ConnectionParts {
  readonly role: 'client' | 'server'
  readonly control: FrameStream
  readonly suite: Suite
  /** Ids that this side receives and sends. */
  readonly ids: { readonly local: Uint8Array; readonly remote: Uint8Array }
  /** Undefined: UDP is off. */
  readonly hub: UdpHub | undefined
  readonly packetSize: number
  readonly clock: MicroClock
  readonly random: Random
  readonly engines: string
  /** TCP and TLS set-up as measured; a first idea of the round trip. */
  readonly rttUs: Micros
  /** Opens one more TLS stream; the client's part. Undefined at the server. */
  readonly openStream: (() => Promise<FrameStream>) | undefined
  readonly through?: ThroughParts | undefined
  readonly onClosed: () => void
  readonly settings: ConnectionSettings
}

export interface ConnectionSettings {
  readonly policy?: Policy
  readonly limit?: RateLimit
  readonly saved?: PathModel
  /** Bytes of new data under way from the peer; also what this side may have to hold in memory. */
  readonly receiveWindow?: number
  /** Of a server's decision: a client whose packets are only authenticated is refused. */
  readonly mustEncrypt?: boolean
}

/** One peer, over UDP or TLS streams, whichever works. The control stream keeps both together. */
export class Connection implements ByteChannel, HubClient, FrameHandler {
  readonly connectionId: Uint8Array
  readonly #parts: ConnectionParts
  readonly #switch: PathSwitch
  readonly #session: Session
  readonly #link: UdpLink | undefined
  readonly #carrier: TcpCarrier
  readonly #address: OwnAddress
  #owner: ChannelOwner | undefined
  /** What a fast peer sent before the owner was there. */
  #early: Array<{ object: ObjectId; offset: number; bytes: Uint8Array }> = []
  #earlyBytes = 0
  #isHeld = false
  #udpState: PathState = 'probing'
  #udpPeer: Endpoint | undefined
  #isPaused = false
  /** A second, that the peer may send; 0: no limit. */
  #receiveKilobits = 0
  #receiveWeight = 1
  #policy: Policy
  /** That the peer has named for this side. */
  #peerWeight = 1
  #isClosed = false
  #waitingSince: Micros = Infinity
  #retryAt: Micros = 0
  #pingAt: Micros
  #opening = false
  #growth = { at: 0, bytes: 0, rate: 0 }
  readonly #timer: NodeJS.Timeout
  #pumpTimer: NodeJS.Timeout | undefined
  #isRelayAllowed: boolean
  /** Since when there has been no direct way, where data needs one. */
  #noWaySince: Micros
  /** The third party is gone, and the direct way is not. */
  #isOnItsOwn = false

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    this.#policy = parts.settings.policy ?? { kind: 'fair' }
    this.connectionId = parts.ids.local
    this.#switch = new PathSwitch(parts.clock())
    this.#pingAt = parts.clock() + PING_US
    this.#isRelayAllowed = parts.through?.isRelayAllowed ?? true
    this.#noWaySince = parts.clock()
    const link: ChannelLink = {
      read: (...request) => this.#owner?.source.read(...request) ?? false,
      data: (object, offset, bytes) => this.#onData(object, offset, bytes),
      acked: (object, start, end) => this.#owner?.acked(object, start, end),
    }
    this.#session = this.#newSession(link)
    this.#carrier = new TcpCarrier({ session: this.#session, link, now: parts.clock })
    this.#carrier.add(parts.control)
    this.#address = new OwnAddress(parts.control.socket)
    this.#link = parts.hub === undefined ? undefined : new UdpLink(this.#session, parts.hub.port)
    parts.hub?.add(this)
    this.#timer = setInterval(() => this.#tick(), SWITCH_TICK_MS)
  }

  #newSession(link: ChannelLink): Session {
    return createSession({
      role: this.#parts.role,
      localConnectionId: this.#parts.ids.local,
      remoteConnectionId: this.#parts.ids.remote,
      protection: this.#parts.suite,
      random: this.#parts.random,
      source: link,
      maxPacketSize: this.#parts.packetSize,
      ...this.#parts.settings,
      events: {
        data: link.data,
        acked: link.acked,
        pathState: (_path, state) => this.#onUdpState(state),
        migrated: () => undefined,
        closed: (close) => this.#finish({ code: close.code, reason: close.reason, by: close.by }),
      },
    })
  }

  /**
   * Server: the peer has not proven who it is. The path opens meanwhile, but only a little may be sent on it.
   * @returns lifts the limit
   */
  hold(): () => void {
    const { receiveWindow = DEFAULT_WINDOW } = this.#parts.settings
    const held = Math.max(0, receiveWindow - UNPROVEN_BYTES)
    this.#session.consumed(-held)
    this.#isHeld = true
    return () => {
      this.#isHeld = false
      this.#session.consumed(held)
    }
  }

  start(owner: ChannelOwner): void {
    this.#owner = owner
    for (const { object, offset, bytes } of this.#early.splice(0)) owner.data(object, offset, bytes)
    this.#parts.control.handle(this)
    this.#parts.through?.way?.begin({
      send: (payload) => this.#parts.control.send(CONTROL.candidates, payload),
      found: (peer) => this.probeUdp(peer),
    })
    // Which way data goes is said from the first byte on, since it may be somebody else's line.
    if (this.#parts.through !== undefined) owner.pathChanged(this.path)
    this.#session.sourceReady()
    this.#tick()
  }

  #onData(object: ObjectId, offset: number, bytes: Uint8Array): void {
    if (this.#owner !== undefined) return this.#owner.data(object, offset, bytes)
    this.#earlyBytes += bytes.length
    if (this.#isHeld && this.#earlyBytes > MAX_HELD_BYTES)
      return this.close(CLOSE_CODES.flowControl, 'too much before the start')
    this.#early.push({ object, offset, bytes: new Uint8Array(bytes) })
  }

  /** Client: where the server's UDP port is. May be called again: first with the assumed port, then with the announced one. */
  probeUdp(peer: Endpoint): void {
    const { hub } = this.#parts
    const known = this.#udpPeer
    this.#udpPeer = peer
    if (hub === undefined || this.#parts.role !== 'client') return
    const now = this.#parts.clock()
    const address = hub.port.addressOf(peer)
    if (known === undefined) this.#session.openPath(now, address)
    else if (known.port !== peer.port) this.#session.movePath(now, 0, address)
    this.#retryAt = now + RETRY_UDP_US
    hub.port.wake()
  }

  /** Server: a further TLS stream of this connection, proven to be its own. */
  join(frames: FrameStream): void {
    if (this.#isClosed) return frames.destroy()
    this.#carrier.add(frames)
    frames.handle({
      onFrame: (type, payload) => this.#onDataFrame(frames, type, payload),
      onDrain: () => this.#pump(),
      onClosed: () => {
        this.#carrier.remove(frames)
        this.#pump()
      },
    })
    this.#pump()
  }

  // ---- calls of the owner

  send(object: ObjectId, start: number, end: number): void {
    this.#session.send(object, start, end)
    this.#pumpSoon()
  }

  consumed(bytes: number): void {
    const rest = this.#carrier.consumed(bytes)
    if (rest > 0) this.#session.consumed(rest)
  }

  sourceReady(): void {
    this.#session.sourceReady()
    this.#carrier.sourceReady()
    this.#pumpSoon()
  }

  forget(object: ObjectId): void {
    this.#session.forget(object)
  }

  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused
    this.#applyMode()
  }

  setPolicy(policy: Policy): void {
    this.#policy = policy
    this.#applyPolicy()
  }

  setReceiveRate(bitsPerSecond: number): void {
    const kilobits = bitsPerSecond === Infinity ? 0 : Math.max(1, Math.round(bitsPerSecond / 1000))
    if (kilobits === this.#receiveKilobits) return
    this.#receiveKilobits = kilobits
    this.#parts.control.send(CONTROL.ping, writeCount(kilobits))
  }

  setReceiveWeight(weight: number): void {
    if (weight === this.#receiveWeight) return
    this.#receiveWeight = weight
    this.#parts.control.send(CONTROL.ping, writeWeight(weight))
  }

  /** Further TLS streams that the peer has joined and not closed. */
  get joinedStreams(): number {
    return this.#carrier.streams - 1
  }

  get pendingBytes(): number {
    return this.#session.pendingBytes
  }

  get unackedBytes(): number {
    return this.#session.unackedBytes
  }

  /** What is worth saving for the next connection to this peer. */
  get model(): PathModel | undefined {
    return this.#session.model(0)
  }

  get path(): PathReport {
    const { mode, reason, detail } = this.#switch.decision
    const tcpStreams = mode === 'tcp' ? this.#carrier.streams : 0
    const through = this.#parts.through && { isRelayAllowed: this.#isRelayAllowed }
    const text = describePath({ mode, reason, detail }, tcpStreams, through)
    if (through === undefined) return { mode, reason, tcpStreams, text }
    const way = mode === 'udp' ? 'direct' : 'relay'
    return { mode, reason, tcpStreams, way, text: this.#isOnItsOwn ? `${text}, the server is gone` : text }
  }

  stats(): ChannelStats {
    const session = this.#session.stats(this.#parts.clock())
    return {
      session,
      udp: session.paths.find((path) => path.state === 'open'),
      tcpSentBytes: this.#carrier.sentBytes,
      tcpTakenBytes: this.#carrier.takenBytes,
      tcpReceivedBytes: this.#carrier.receivedBytes,
      path: this.path,
      engines: this.#parts.engines,
    }
  }

  close(code: number, reason: string): void {
    if (this.#isClosed) return
    this.#parts.control.send(CONTROL.close, writeClose(code, reason))
    this.#session.close(this.#parts.clock(), code, reason)
    this.#finish({ code, reason, by: 'self' })
  }

  // ---- UDP

  onDatagrams(arrivedAt: Micros, received: Received): boolean {
    return this.#link?.onDatagrams(arrivedAt, received) ?? false
  }

  onWake(now: Micros): Micros {
    this.#pumpStreams()
    return this.#link?.pump(now) ?? Infinity
  }

  #onUdpState(state: PathState): void {
    this.#udpState = state
    this.#pumpSoon()
    // Decided outside the session's own call.
    setImmediate(() => this.#tick())
  }

  #pumpSoon(): void {
    this.#parts.hub?.port.wake()
    if (this.#switch.decision.mode === 'tcp') this.#pumpStreams()
  }

  #pump(): void {
    this.#pumpStreams()
    this.#parts.hub?.port.wake()
  }

  #pumpStreams(): void {
    const { mode, reason } = this.#switch.decision
    if (this.#isClosed || this.#isPaused || mode !== 'tcp' || !this.#isRelayAllowed) return
    if (reason === 'udp-waiting') this.#carrier.pump(TRIAL_BYTES)
    else this.#carrier.pump()
    this.#pumpLater(this.#carrier.heldUntil)
  }

  /** Nothing else wakes streams that wait for the rate limit. */
  #pumpLater(at: Micros): void {
    if (at === Infinity || this.#pumpTimer !== undefined) return
    this.#pumpTimer = setTimeout(
      () => {
        this.#pumpTimer = undefined
        this.#pumpStreams()
      },
      Math.min(MAX_HOLD_MS, Math.ceil((at - this.#parts.clock()) / 1000)),
    )
  }

  // ---- the choice of path

  #tick(): void {
    const session = this.#session
    if (this.#isClosed) return
    const now = this.#parts.clock()
    const before = this.#switch.decision
    const stats = session.stats(now)
    const udp = stats.paths[0]
    // A side that only receives has no bytes in flight, but probes when the peer stops: those PINGs wait for an answer too.
    const isAsking = session.unackedBytes > session.pendingBytes || (udp?.inFlightBytes ?? 0) > 0
    if (!isAsking || this.#isPaused) this.#waitingSince = Infinity
    else if (this.#waitingSince === Infinity) this.#waitingSince = now
    const after = this.#switch.tick(now, {
      udpEnabled: this.#link !== undefined,
      udpOpen: this.#udpState === 'open' || this.#udpState === 'broken',
      udpBroken: this.#udpState === 'broken',
      lastHeard: this.#link?.lastHeard ?? -Infinity,
      waitingSince: this.#waitingSince,
      rttUs: udp === undefined || udp.minRttUs === 0 ? this.#parts.rttUs : udp.minRttUs,
      lossRate: udp?.lossRate ?? 0,
      udpBytes: stats.ackedBytes,
      tcpBytes: this.#carrier.takenBytes,
    })
    this.#changed(before, after, true)
    if (after.mode === 'tcp' && this.#parts.role === 'client' && this.#address.isGone(now))
      return this.#finish({ code: CLOSE_CODES.idle, reason: 'this computer has another address now', by: 'network' })
    if (this.#hasNoWay(now, after)) return
    this.#retryUdp(now, after)
    this.#growStreams(now, after)
    if (now >= this.#pingAt) {
      this.#pingAt = now + PING_US
      this.#parts.control.send(CONTROL.ping)
    }
  }

  /** Ends a connection that has nothing left to go on by. */
  #hasNoWay(now: Micros, { mode }: PathDecision): boolean {
    if (mode === 'udp') this.#noWaySince = now
    else if (this.#isOnItsOwn)
      this.#finish({ code: CLOSE_CODES.idle, reason: 'the server and the direct way are gone', by: 'network' })
    else if (!this.#isRelayAllowed && now - this.#noWaySince > NO_WAY_US) this.close(CLOSE_CODES.denied, NO_DIRECT_WAY)
    return this.#isClosed
  }

  #changed(before: PathDecision, after: PathDecision, announce: boolean): void {
    if (before === after) return
    if (before.mode !== after.mode) {
      if (announce) this.#parts.control.send(CONTROL.path, Uint8Array.of(after.mode === 'udp' ? 1 : 0))
      this.#applyMode()
      if (after.mode === 'tcp') this.#session.reclaim()
      else this.#carrier.reclaim()
      if (after.mode === 'udp' && this.#udpState === 'broken') this.#udpState = 'open'
      this.#waitingSince = Infinity
      this.#growth = { at: this.#parts.clock(), bytes: this.#carrier.takenBytes, rate: 0 }
    }
    this.#owner?.pathChanged(this.path)
    this.#pump()
  }

  #applyMode(): void {
    this.#session.setPaused(this.#isPaused || this.#switch.decision.mode === 'tcp')
    this.#pump()
  }

  #retryUdp(now: Micros, decision: PathDecision): void {
    const peer = this.#udpPeer
    const silent =
      decision.reason === 'udp-blocked' || decision.reason === 'udp-silent' || decision.reason === 'peer-chose'
    if (decision.mode !== 'tcp' || !silent || peer === undefined || now < this.#retryAt) return
    this.#retryAt = now + RETRY_UDP_US
    const { hub } = this.#parts
    if (hub === undefined || this.#parts.role !== 'client') return
    this.#session.movePath(now, 0, hub.port.addressOf(peer))
    hub.port.wake()
  }

  /** Four streams at once, then more while each brings more than 15 %. */
  #growStreams(now: Micros, decision: PathDecision): void {
    const { openStream } = this.#parts
    const carrier = this.#carrier
    if (openStream === undefined || decision.mode !== 'tcp') return
    if (decision.reason === 'udp-waiting' || this.#opening) return
    if (carrier.streams < FIRST_STREAMS) return this.#openStream(openStream)
    if (carrier.streams >= MAX_STREAMS || now - this.#growth.at < GROWTH_US) return
    const moved = carrier.takenBytes + carrier.receivedBytes
    const rate = (moved - this.#growth.bytes) / (now - this.#growth.at)
    const grows = rate > this.#growth.rate * 1.15
    this.#growth = { at: now, bytes: moved, rate: Math.max(rate, this.#growth.rate) }
    if (grows) this.#openStream(openStream)
  }

  #openStream(open: () => Promise<FrameStream>): void {
    this.#opening = true
    open().then(
      (frames) => {
        this.#opening = false
        this.join(frames)
        if (!this.#isClosed) this.#tick()
      },
      // The next tick tries again; the control stream carries meanwhile.
      () => setTimeout(() => (this.#opening = false), 1000).unref(),
    )
  }

  // ---- the control stream

  onFrame(type: number, payload: Uint8Array): void {
    if (type === CONTROL.path) {
      const mode: CarrierMode = payload[0] === 1 ? 'udp' : 'tcp'
      const before = this.#switch.decision
      this.#changed(before, this.#switch.peerChose(mode, this.#udpState === 'open'), false)
    } else if (type === CONTROL.close) {
      const close = readClose(payload)
      this.#finish({ code: close?.code ?? CLOSE_CODES.protocol, reason: close?.reason ?? '', by: 'peer' })
    } else if (type === CONTROL.ping) {
      this.#onRate(readCount(payload))
      this.#onWeight(readWeight(payload))
      this.#answerPing()
    } else if (type === CONTROL.candidates) this.#onCandidates(payload)
    else if (type !== CONTROL.pong) this.#onDataFrame(this.#parts.control, type, payload)
  }

  #onCandidates(payload: Uint8Array): void {
    const { through } = this.#parts
    if (through === undefined) return
    if (readCandidates(payload)?.isRelayAllowed === false) this.#isRelayAllowed = false
    through.way?.onCandidates(payload)
  }

  /** How fast this side may send over any way, of a peer that says so. */
  #onRate(kilobits: number | undefined): void {
    if (kilobits === undefined) return
    this.#session.limit.setRate(this.#parts.clock(), kilobits === 0 ? Infinity : kilobits * 1000)
    this.#pump()
  }

  /** A server does not let its clients say how much they weigh. */
  #onWeight(weight: number | undefined): void {
    if (weight === undefined || this.#parts.openStream === undefined) return
    this.#peerWeight = weight
    this.#applyPolicy()
  }

  #applyPolicy(): void {
    const policy = this.#policy
    if (policy.kind === 'fixed') this.#session.setPolicy(policy)
    else this.#session.setPolicy({ kind: policy.kind, weight: (policy.weight ?? 1) * this.#peerWeight })
  }

  /** Not to a peer that sends requests and does not read. */
  #answerPing(): void {
    const { control } = this.#parts
    if (!control.isFull) control.send(CONTROL.pong)
  }

  #onDataFrame(frames: FrameStream, type: number, payload: Uint8Array): void {
    const carrier = this.#carrier
    if (this.#isClosed) return
    const isFine =
      (type === CONTROL.data && carrier.onData(frames, payload)) ||
      (type === CONTROL.taken && carrier.onTaken(frames, payload))
    if (isFine) return this.#pumpStreams()
    this.close(CLOSE_CODES.protocol, 'malformed frame on a stream')
  }

  onDrain(): void {
    this.#pumpStreams()
  }

  onClosed(error: Error | undefined): void {
    if (this.#parts.through !== undefined && this.#switch.decision.mode === 'udp') return this.#goOnAlone()
    this.#finish({ code: CLOSE_CODES.idle, reason: error?.message ?? 'the control connection ended', by: 'network' })
  }

  /** The peers need the third party to find each other, and not afterwards. */
  #goOnAlone(): void {
    if (this.#isClosed || this.#isOnItsOwn) return
    this.#isOnItsOwn = true
    this.#carrier.remove(this.#parts.control)
    this.#owner?.pathChanged(this.path)
    this.#pump()
  }

  #finish(close: { code: number; reason: string; by: 'peer' | 'self' | 'network' }): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#timer)
    clearTimeout(this.#pumpTimer)
    this.#parts.through?.way?.stop()
    const now = this.#parts.clock()
    this.#session.close(now, close.code, close.reason)
    this.#link?.pump(now)
    this.#parts.hub?.remove(this)
    this.#parts.control.end()
    this.#carrier.closeStreams()
    this.#parts.suite.close()
    this.#parts.onClosed()
    this.#owner?.closed(close)
  }
}

/** Reason of a side that gives nothing to the relay. */
export const NO_DIRECT_WAY = 'no direct way was found, and the relay is not to be used'

const FIRST_STREAMS = 4
const MAX_STREAMS = 8
const GROWTH_US: Micros = 2_000_000
