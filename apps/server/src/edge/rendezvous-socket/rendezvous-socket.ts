import { GiB, MiB, type Clock } from '@godwit/base'
import {
  RENDEZVOUS_ACCESS,
  rendezvousMessage,
  SOCKET_PROTOCOL_ERROR,
  SOCKET_SESSION_ENDED,
  type RendezvousServerMessage,
  type SessionEnd,
} from '@godwit/contract'
import type { WebSocket } from 'ws'
import type { z } from 'zod'
import type { Rendezvous, RendezvousSettings, Room, Seat } from '../../exchange/rendezvous/index.ts'
import { sourceOf } from '../../identity/auth/index.ts'
import type { Ctx, Log } from '../../kernel/context.ts'
import { AppError, failureBody } from '../../kernel/errors.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import { noteFailure } from '../http/index.ts'
import { CLOSING_MS, LOGIN_MS, parseJson, STRANGER_FRAME_BYTES, type Credentials } from '../sockets/index.ts'
import type { DoorSocket, ProvenLogin } from '../sockets/index.ts'
import { Pipe } from './pipe.ts'

export interface RendezvousSocketDeps {
  readonly rendezvous: Rendezvous
  readonly credentials: Credentials
  readonly clock: Clock
  readonly log: Log
}

type Message = z.output<typeof rendezvousMessage>

/** Handshakes and messages pass here also when data does not. */
const CONTROL_BYTES = 16 * MiB
const BYTES_PER_MS_OF_MEGABIT = 125

function mostBytes(settings: RendezvousSettings): number {
  return settings['rendezvous.relayGibibytes'] * GiB + CONTROL_BYTES
}

/** One of the two programs that meet. It says one thing as text; once the other is there, its binary frames are passed on unread. */
export class RendezvousSocket implements DoorSocket, Seat {
  readonly #deps: RendezvousSocketDeps
  readonly #socket: WebSocket
  readonly #base: Ctx
  #login: ProvenLogin | undefined
  #room: Room | undefined
  #ticket: string | undefined
  #pipe: Pipe | undefined
  #hasSpoken = false
  #alive = true

  constructor(deps: RendezvousSocketDeps, socket: WebSocket, base: Ctx) {
    this.#deps = deps
    this.#socket = socket
    this.#base = base
    const deadline = setTimeout(() => {
      if (this.#room === undefined) this.#close(SOCKET_PROTOCOL_ERROR, 'no room within 10 s')
    }, LOGIN_MS)
    socket.on('message', (data, isBinary) => this.#take(data as Buffer, isBinary))
    socket.on('pong', () => (this.#alive = true))
    // A frame that breaks the protocol: the library closes with the right code; who does not answer that is cut.
    socket.on('error', () => this.#cutLater())
    socket.on('close', () => {
      clearTimeout(deadline)
      this.#leave()
    })
  }

  get principal(): AccountPrincipal | undefined {
    return this.#login?.principal
  }

  /** Who joined a room needs no account, and is no stranger any more. */
  get memoryOwner(): string | undefined {
    return this.#room?.owner
  }

  async endedBy(): Promise<SessionEnd | undefined> {
    return this.#login?.endedBy()
  }

  endSession(reason: SessionEnd): void {
    this.#close(SOCKET_SESSION_ENDED, reason)
  }

  /** Cuts one that did not answer since the last beat, unless it is held and answers nothing. */
  beat(): void {
    if (!this.#alive && !this.#socket.isPaused) this.#socket.terminate()
    else if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping()
    this.#alive = false
  }

  // ---- Seat

  joined(room: Room): void {
    const { sender } = room
    if (!(sender instanceof RendezvousSocket)) return
    this.#say({ type: 'joined' })
    void this.#connect(room, sender)
  }

  expired(): void {
    this.#refuse(new AppError('RENDEZVOUS_ROOM_EXPIRED'))
  }

  // ----

  #take(data: Buffer, isBinary: boolean): void {
    if (isBinary) {
      if (this.#pipe === undefined) return this.#close(SOCKET_PROTOCOL_ERROR, 'nobody is there')
      if (!this.#pipe.pass(data)) this.#exhausted()
      return
    }
    const message = rendezvousMessage.safeParse(
      data.length > STRANGER_FRAME_BYTES ? undefined : parseJson(data.toString('utf8')),
    )
    if (!message.success || this.#hasSpoken) return this.#close(SOCKET_PROTOCOL_ERROR, 'malformed message')
    this.#hasSpoken = true
    this.#answer(message.data).catch((thrown: unknown) => this.#refuse(noteFailure(this.#deps.log, this.#base, thrown)))
  }

  async #answer(message: Message): Promise<void> {
    const { rendezvous } = this.#deps
    const settings = await rendezvous.settings()
    const access = settings['rendezvous.access']
    if (access === RENDEZVOUS_ACCESS.off) throw new AppError('RENDEZVOUS_OFF')
    const source = sourceOf(this.#base.address)
    const udp = await rendezvous.reflector()
    if (message.type === 'join') {
      await rendezvous.guesses.take(source)
      if (!this.#isOpen) return
      this.#room = rendezvous.rooms.join(message.room, this, mostBytes(settings))
      this.#say({ type: 'joined', ticket: this.#issueTicket(), udp })
      return
    }
    await rendezvous.openings.take(source)
    const { token, room: number, key } = message
    if (token !== undefined) this.#login = await this.#deps.credentials.prove({ token }, this.#base)
    else if (access === RENDEZVOUS_ACCESS.accounts) throw new AppError('RENDEZVOUS_ACCOUNT_REQUIRED')
    if (!this.#isOpen) return
    const owner = this.principal === undefined ? `address ${source}` : `account ${this.principal.id}`
    const again = number === undefined ? undefined : { number, key }
    const room = rendezvous.rooms.open({
      ...{ owner, again, seat: this, roomsPerOwner: settings['rendezvous.roomsPerCaller'] },
    })
    this.#room = room
    this.#say({ type: 'room', room: room.number, key: room.key, ticket: this.#issueTicket(), udp })
  }

  /** Both directions; both sockets are there. Frames of the other one wait in its socket until then. */
  async #connect(room: Room, other: RendezvousSocket): Promise<void> {
    const { clock, rendezvous } = this.#deps
    const ends = [this.#socket, other.#socket] as const
    for (const end of ends) end.pause()
    const settings = await rendezvous.settings()
    const rate = settings['rendezvous.relayMegabits']
    const most = mostBytes(settings)
    const limits = {
      nowMs: () => clock.monotonic(),
      count: (bytes: number) => (room.relayedBytes += bytes) <= most,
      bytesPerMs: rate === 0 ? Infinity : rate * BYTES_PER_MS_OF_MEGABIT,
    }
    this.#pipe = new Pipe(ends[0], ends[1], limits)
    other.#pipe = new Pipe(ends[1], ends[0], limits)
    for (const end of ends) end.resume()
  }

  #exhausted(): void {
    const room = this.#room
    for (const seat of [room?.sender, room?.receiver])
      if (seat instanceof RendezvousSocket) seat.#refuse(new AppError('RENDEZVOUS_RELAY_LIMIT'))
  }

  #leave(): void {
    const { rendezvous } = this.#deps
    if (this.#ticket !== undefined) rendezvous.rooms.dropTicket(this.#ticket)
    this.#pipe?.close()
    const room = this.#room
    if (room === undefined) return
    const other = rendezvous.rooms.leave(room, this)
    if (other === undefined) return
    // What was passed on is sent before the socket closes.
    if (other instanceof RendezvousSocket) other.#close(1000, 'the other one is gone')
  }

  #issueTicket(): string {
    return (this.#ticket ??= this.#deps.rendezvous.rooms.issueTicket())
  }

  get #isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
  }

  #refuse(error: AppError): void {
    const { code, message, data } = failureBody(this.#base, error)
    this.#say({ type: 'refused', code, message, data })
    this.#close(1000, error.code)
  }

  #say(message: RendezvousServerMessage): void {
    if (this.#isOpen) this.#socket.send(JSON.stringify(message))
  }

  #close(code: number, reason: string): void {
    this.#socket.resume()
    this.#socket.close(code, reason.slice(0, 100))
    this.#cutLater()
  }

  /** A peer that does not answer the closing handshake is cut. */
  #cutLater(): void {
    setTimeout(() => this.#socket.terminate(), CLOSING_MS).unref()
  }
}
