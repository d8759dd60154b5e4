import {
  type Batch,
  type ByteSource,
  type PacketView,
  createRateLimit,
  createSession,
  type Session,
  type SessionConfig,
  type SessionEvents,
} from '../core/index.ts'
import { TcpFlow } from './cross-traffic.ts'
import { newDice, randomOf } from './dice.ts'
import { EventLoop } from './event-loop.ts'
import { DatagramPool, Host } from './hosts.ts'
import { Link, type LinkOptions } from './links.ts'
import { simProtection } from './sim-protection.ts'
import type { FlowResult, OwnFlow, SimulationOptions, SimulationResult, TraceSample } from './simulate.types.ts'

/** File bytes / IP bytes of a full packet. */
export const PAYLOAD_SHARE = 0.956
const MIN_QUEUE = 64 * 1024
const ENDLESS = 2 ** 50
const SERVER_ADDRESS = 1
const MAX_PATHS = 8
const CHUNK = 2 ** 30

interface Run {
  readonly loop: EventLoop
  readonly pool: DatagramPool
  readonly forward: Link
  readonly reverse: Link
  readonly options: SimulationOptions
  readonly faults: string[]
  hash: number
}

/** Runs a simulation to its end. Deterministic: no clock and no randomness but the seed. */
export function simulate(options: SimulationOptions): SimulationResult {
  const run = newRun(options)
  const flows = (options.flows ?? [{}]).map((flow, index) => new SimFlow(run, flow, index))
  const cross = (options.cross ?? []).map(({ kind, startSeconds = 0 }) => {
    const flow = new TcpFlow(run.loop, run, kind)
    run.loop.at(startSeconds * 1e6, () => flow.start())
    return flow
  })
  const warmUpUs = (options.warmUpSeconds ?? 5) * 1e6
  const atWarmUp = cross.map(() => 0)
  run.loop.at(warmUpUs, () => {
    for (const flow of flows) flow.markWarm()
    cross.forEach((flow, index) => (atWarmUp[index] = flow.deliveredBytes))
  })
  const end = run.loop.run(options.seconds * 1e6, () => flows.every((flow) => flow.isFinished))
  const results = flows.map((flow) => flow.result(end))
  const crossMbit = cross.map((flow, index) => mbit(flow.deliveredBytes - (atWarmUp[index] ?? 0), end - warmUpUs))
  return summarize(run, results, crossMbit)
}

function newRun(options: SimulationOptions): Run {
  const loop = new EventLoop()
  const rate = options.rateMbit * 1e6
  const bdpBytes = (options.rateMbit * options.rttMs * 1000) / 8
  const base: LinkOptions = {
    rate,
    queueBytes: Math.max(MIN_QUEUE, bdpBytes * (options.queueBdp ?? 1)),
    delayUs: (options.rttMs * 1000) / 2,
    loss: (options.lossPercent ?? 0) / 100,
    lossBurst: options.lossBurst ?? 1,
    isLossAfter: options.isLossAfter ?? false,
  }
  const back: LinkOptions = {
    ...base,
    rate: (options.reverseRateMbit ?? options.rateMbit) * 1e6,
    loss: (options.reverseLossPercent ?? 0) / 100,
  }
  return {
    loop,
    pool: new DatagramPool(),
    forward: new Link(loop, newDice(options.seed), { ...base, ...options.forward }),
    reverse: new Link(loop, newDice(options.seed + 7919), { ...back, ...options.reverse }),
    options,
    faults: [],
    hash: 0x811c9dc5,
  }
}

function summarize(run: Run, flows: readonly FlowResult[], crossMbit: readonly number[]): SimulationResult {
  const { options } = run
  const survive = options.isLossAfter === true ? 1 - (options.lossPercent ?? 0) / 100 : 1
  const line = options.rateMbit * PAYLOAD_SHARE * survive
  const limitMbit = Math.min(line, (options.ceilingMbit ?? Infinity) * PAYLOAD_SHARE)
  const rates = flows.map((flow) => flow.steadyMbit)
  const sum = rates.reduce((total, rate) => total + rate, 0)
  const squares = rates.reduce((total, rate) => total + rate * rate, 0)
  return {
    options,
    flows,
    crossMbit,
    limitMbit,
    steadyShare: sum / limitMbit,
    wholeShare: flows.reduce((total, flow) => total + flow.wholeMbit, 0) / limitMbit,
    fairness: squares === 0 ? 0 : (sum * sum) / (rates.length * squares),
    traceHash: (run.hash >>> 0).toString(16).padStart(8, '0'),
    faults: run.faults,
  }
}

/** One own transfer: two sessions and their hosts. */
class SimFlow {
  readonly #run: Run
  readonly #size: number
  readonly #startUs: number
  readonly #sender: Session
  readonly #receiver: Session
  readonly #samples: TraceSample[] = []
  readonly #nonces = { client: new Set<number>(), server: new Set<number>() }
  #received = 0
  #acked = 0
  #atWarmUp = 0
  #finishedAt = Infinity
  #sampledBytes = 0
  #rebinds = 0
  #hosts = 0

  constructor(run: Run, flow: OwnFlow, index: number) {
    const { options } = run
    this.#run = run
    this.#size = options.bytes ?? ENDLESS
    this.#startUs = (flow.startSeconds ?? 0) * 1e6
    const isUpload = options.direction !== 'download'
    const client = createSession(this.#config(flow, { index, isClient: true, isSender: isUpload }))
    const server = createSession(this.#config(flow, { index, isClient: false, isSender: !isUpload }))
    this.#sender = isUpload ? client : server
    this.#receiver = isUpload ? server : client
    const clientLink = isUpload ? run.forward : run.reverse
    const serverLink = isUpload ? run.reverse : run.forward
    const clientHost = this.#host(client, clientLink, () => 1000 * (index + 1) + this.#rebinds)
    const serverHost = this.#host(server, serverLink, () => SERVER_ADDRESS)
    clientHost.peer = serverHost
    serverHost.peer = clientHost
    run.loop.at(this.#startUs, () => this.#start(client, clientHost))
  }

  get isFinished(): boolean {
    return this.#finishedAt < Infinity
  }

  markWarm(): void {
    this.#atWarmUp = this.#received
  }

  result(end: number): FlowResult {
    const until = Math.min(end, this.#finishedAt)
    const warmAt = Math.max((this.#run.options.warmUpSeconds ?? 5) * 1e6, this.#startUs)
    const line = this.#run.options.rateMbit * PAYLOAD_SHARE
    const fast = this.#samples.find((sample) => sample.goodputMbit >= 0.9 * line)
    return {
      bytes: this.#received,
      finishedSeconds: this.isFinished ? (this.#finishedAt - this.#startUs) / 1e6 : undefined,
      wholeMbit: mbit(this.#received, until - this.#startUs),
      steadyMbit: mbit(this.#received - this.#atWarmUp, until - warmAt),
      sender: this.#sender.stats(end),
      samples: this.#samples,
      secondsTo90: fast === undefined ? undefined : fast.seconds - this.#startUs / 1e6,
    }
  }

  #start(client: Session, host: Host): void {
    client.openPath(this.#run.loop.now, SERVER_ADDRESS)
    for (let start = 0; start < this.#size; start += CHUNK * 1024) {
      this.#sender.send(0, start, Math.min(this.#size, start + CHUNK * 1024))
    }
    host.run()
    this.#sample()
    this.#scheduleRebind(host)
  }

  #scheduleRebind(host: Host): void {
    const { rebindSeconds } = this.#run.options
    if (rebindSeconds === undefined) return
    this.#run.loop.at(this.#run.loop.now + rebindSeconds * 1e6, () => {
      this.#rebinds += 1
      this.#scheduleRebind(host)
    })
  }

  #host(session: Session, link: Link, address: () => number): Host {
    const run = this.#run
    const checked = run.options.isVerified === true ? this.#checked(session) : session
    return new Host(checked, {
      loop: run.loop,
      pool: run.pool,
      link,
      timerGrainUs: run.options.timerGrainUs ?? 1,
      dice: newDice(run.options.seed * 131 + this.#hosts++),
      timing: run.options.hosts ?? {},
      address,
      onSpin: (now) => run.faults.push(`a session spins at ${now}`),
      onDelivered: (now, datagram) => {
        let hash = Math.imul(run.hash ^ now, 0x01000193)
        for (let at = 0; at < 13; at++) hash = Math.imul(hash ^ (datagram[at] ?? 0), 0x01000193)
        run.hash = Math.imul(hash ^ datagram.length, 0x01000193)
      },
    })
  }

  /** The session with its window watched: data leaves only while it fits. */
  #checked(session: Session): Session {
    const run = this.#run
    const poll = session.poll.bind(session)
    const watched = (now: number): Batch | undefined => {
      const pending = session.pendingBytes
      const batch = poll(now)
      const path = session.stats(now).paths[0]
      if (session.pendingBytes < pending && path !== undefined && path.inFlightBytes > path.cwndBytes) {
        run.faults.push(`in flight above the window at ${now}`)
      }
      return batch
    }
    session.poll = watched
    return session
  }

  #config(flow: OwnFlow, side: { index: number; isClient: boolean; isSender: boolean }): SessionConfig {
    const { options, loop } = this.#run
    const dice = newDice(options.seed * 31 + side.index * 2 + (side.isClient ? 1 : 0))
    const clientId = new Uint8Array(8).fill(2 * side.index + 1)
    const serverId = new Uint8Array(8).fill(2 * side.index + 2)
    const isVerified = options.isVerified === true
    const hasFlips = (options.forward?.corrupt ?? 0) > 0 || (options.reverse?.corrupt ?? 0) > 0
    return {
      role: side.isClient ? 'client' : 'server',
      localConnectionId: side.isClient ? clientId : serverId,
      remoteConnectionId: side.isClient ? serverId : clientId,
      protection: simProtection(
        options.seed,
        isVerified || hasFlips,
        isVerified ? (packet) => this.#onNonce(side.isClient ? 'client' : 'server', packet) : undefined,
      ),
      random: randomOf(dice),
      source: { read: (...request) => !isVerified || fillPattern(request) },
      events: this.#events(),
      ...(options.maxPacketSize === undefined ? {} : { maxPacketSize: options.maxPacketSize }),
      ...(options.receiveWindow === undefined ? {} : { receiveWindow: options.receiveWindow }),
      ...(flow.policy === undefined ? {} : { policy: flow.policy }),
      ...(options.saved === undefined ? {} : { saved: options.saved }),
      ...(options.ceilingMbit === undefined || !side.isSender
        ? {}
        : { limit: createRateLimit(loop.now, options.ceilingMbit * 1e6) }),
    }
  }

  #events(): SessionEvents {
    return {
      data: (_object, offset, bytes) => this.#onData(offset, bytes),
      acked: (_object, start, end) => {
        this.#acked += end - start
      },
      pathState: () => undefined,
      migrated: () => undefined,
      closed: (close) => this.#run.faults.push(`closed: ${close.reason}`),
    }
  }

  #onData(offset: number, bytes: Uint8Array): void {
    const { options, loop, faults } = this.#run
    if (options.isVerified === true && !isPattern(offset, bytes)) faults.push(`wrong bytes at ${offset}`)
    this.#received += bytes.length
    this.#receiver.consumed(bytes.length)
    if (this.#received >= this.#size && this.#finishedAt === Infinity) this.#finishedAt = loop.now
    if (this.#received > this.#size || this.#acked > this.#received) faults.push('more bytes than the file has')
  }

  #onNonce(side: 'client' | 'server', packet: PacketView): void {
    const nonce = packet.packetNumber * MAX_PATHS + packet.pathId
    if (this.#nonces[side].has(nonce)) this.#run.faults.push(`nonce repeated by the ${side}: ${nonce}`)
    this.#nonces[side].add(nonce)
  }

  #sample(): void {
    const { loop, options, forward } = this.#run
    const everyUs = (options.sampleMs ?? 100) * 1000
    loop.at(loop.now + everyUs, () => {
      const path = this.#sender.stats(loop.now).paths[0]
      this.#samples.push({
        seconds: loop.now / 1e6,
        goodputMbit: mbit(this.#received - this.#sampledBytes, everyUs),
        rttMs: (path?.latestRttUs ?? 0) / 1000,
        cwndKiB: (path?.cwndBytes ?? 0) / 1024,
        inFlightKiB: (path?.inFlightBytes ?? 0) / 1024,
        pacingMbit: (path?.pacingRate ?? 0) / 1e6,
        queueKiB: forward.backlog / 1024,
        phase: path?.phase ?? 'probing',
      })
      this.#sampledBytes = this.#received
      if (!this.isFinished) this.#sample()
    })
  }
}

/** Byte `offset` of every simulated file. */
function patternByte(offset: number): number {
  return (offset * 31 + Math.floor(offset / 251) * 7) & 0xff
}

function fillPattern([, offset, length, target, at]: Parameters<ByteSource['read']>): boolean {
  for (let index = 0; index < length; index++) target[at + index] = patternByte(offset + index)
  return true
}

function isPattern(offset: number, bytes: Uint8Array): boolean {
  for (let index = 0; index < bytes.length; index++) if (bytes[index] !== patternByte(offset + index)) return false
  return true
}

function mbit(bytes: number, micros: number): number {
  return micros <= 0 ? 0 : (bytes * 8) / micros
}
