import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Random } from '@godwit/base'
import type { AddressId } from '../../core/index.ts'
import type { UdpHub } from '../connections/udp-hub.ts'
import type { Endpoint, MicroClock } from '../ports/port.types.ts'
import { readCandidates, readEndpoint, writeCandidates } from './candidates.ts'
import type { DirectWay } from './direct-way.types.ts'
import { NONCE_BYTES, probeKey, readReflected, type Side, writeReflect } from './probes.ts'
import { type Outgoing, Punch } from './punch.ts'

/** Where a side learns its public address, and what it shows there. */
export interface Reflector {
  readonly at: Endpoint
  readonly ticket: Uint8Array
}

export interface FindWayDeps {
  readonly hub: UdpHub
  readonly side: Side
  /** Of the TLS exporter. */
  readonly secret: Uint8Array
  readonly reflector: Reflector | undefined
  readonly isRelayAllowed: boolean
  readonly clock: MicroClock
  readonly random: Random
}

/** Waits before the questions to the reflector; one of them may be lost. */
const QUESTIONS_MS = [0, 100, 250, 500, 1000, 2000]
/** Own addresses that the peer is told. */
const MAX_OWN = 8

type Use = Parameters<DirectWay['begin']>[0]

/** Learns the own public address, exchanges addresses with the peer, and probes until one answers. */
export function findWay(deps: FindWayDeps): DirectWay {
  return new Finder(deps)
}

class Finder implements DirectWay {
  readonly #deps: FindWayDeps
  readonly #punch: Punch
  readonly #nonce: Uint8Array
  readonly #questions: NodeJS.Timeout[] = []
  readonly #candidates: Endpoint[] = []
  #timer: NodeJS.Timeout | undefined
  #use: Use | undefined
  #isReflected = false

  constructor(deps: FindWayDeps) {
    const { hub, side, secret, random } = deps
    this.#deps = deps
    this.#punch = new Punch({ side, key: probeKey(secret), random })
    this.#nonce = random.fill(new Uint8Array(NONCE_BYTES))
    this.#candidates.push(...ownEndpoints(hub.port.local))
    hub.onProbe = (datagram, from) => this.#onDatagram(datagram, from)
    for (const wait of QUESTIONS_MS) this.#questions.push(setTimeout(() => this.#question(), wait))
  }

  begin(use: Use): void {
    this.#use = use
    this.#announce(this.#candidates)
  }

  onCandidates(payload: Uint8Array): void {
    const { hub, clock } = this.#deps
    const endpoints = readCandidates(payload)?.endpoints ?? []
    const family = isIP(hub.port.local.host)
    this.#punch.aim(
      clock(),
      endpoints.filter(({ host }) => isIP(host) === family).map((peer) => hub.port.addressOf(peer)),
    )
    this.#pump()
  }

  stop(): void {
    clearTimeout(this.#timer)
    for (const question of this.#questions) clearTimeout(question)
    this.#deps.hub.onProbe = undefined
  }

  #announce(endpoints: readonly Endpoint[]): void {
    this.#use?.send(writeCandidates({ endpoints, isRelayAllowed: this.#deps.isRelayAllowed }))
  }

  #question(): void {
    const { hub, reflector } = this.#deps
    if (reflector === undefined || this.#isReflected) return
    this.#send({ to: hub.port.addressOf(reflector.at), datagram: writeReflect(this.#nonce, reflector.ticket) })
  }

  #onDatagram(datagram: Uint8Array, from: AddressId): boolean {
    const reflected = this.#isReflected ? undefined : readReflected(this.#nonce, datagram)
    if (reflected !== undefined) {
      this.#onReflected(readEndpoint(reflected))
      return true
    }
    const heard = this.#punch.onDatagram(this.#deps.clock(), datagram, from)
    if (heard === undefined) return false
    // The port knows the address of a stranger once it has been told that the datagram is genuine.
    setImmediate(() => {
      if (heard.answer !== undefined) this.#send(heard.answer)
      const peer = heard.found === undefined ? undefined : this.#deps.hub.port.endpointOf(heard.found)
      if (peer !== undefined) this.#use?.found(peer)
      this.#pump()
    })
    return true
  }

  #onReflected(own: Endpoint | undefined): void {
    this.#isReflected = true
    if (own === undefined || this.#candidates.some(({ host, port }) => host === own.host && port === own.port)) return
    this.#candidates.push(own)
    this.#announce([own])
  }

  #pump(): void {
    const { clock } = this.#deps
    clearTimeout(this.#timer)
    for (const outgoing of this.#punch.poll(clock())) this.#send(outgoing)
    if (this.#punch.nextAt === Infinity) return
    this.#timer = setTimeout(() => this.#pump(), Math.max(1, (this.#punch.nextAt - clock()) / 1000))
  }

  #send({ to, datagram }: Outgoing): void {
    this.#deps.hub.port.send(to, { buffer: datagram, length: datagram.length, segmentSize: datagram.length })
  }
}

/** The addresses of this machine in the family of the port. */
function ownEndpoints({ host, port }: Endpoint): readonly Endpoint[] {
  return Object.values(networkInterfaces())
    .flatMap((known) => known ?? [])
    .filter(({ address, internal }) => !internal && isIP(address) === isIP(host) && !address.startsWith('fe80'))
    .slice(0, MAX_OWN)
    .map(({ address }) => ({ host: address, port }))
}
