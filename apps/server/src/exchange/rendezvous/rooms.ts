import type { Random } from '@godwit/base'
import { AppError } from '../../kernel/errors.ts'

/** A room in which nobody met anybody for this long is closed. */
const LIFE_MS = 10 * 60_000
const ROOMS_MAX = 10_000
/** Answers of the reflector to one ticket: a side asks six times at most. */
const REFLECTIONS = 24
const TICKET_BYTES = 16
const FIRST_DIGITS = 4
/** Draws of a free number before it has a digit more. */
const DRAWS = 4

/** What waits or works in a room. Compared for identity. */
export interface Seat {
  /** The other one is there. */
  joined(room: Room): void
  /** The room is closed. */
  expired(): void
}

export interface Room {
  readonly number: string
  /** Who opened it; shown again, it is opened again. */
  readonly key: string
  readonly owner: string
  receiver: Seat | undefined
  sender: Seat | undefined
  /** Of all that met in it. */
  relayedBytes: number
  unusedSince: number
}

export interface OpenRequest {
  readonly owner: string
  readonly seat: Seat
  readonly roomsPerOwner: number
  /** The room that this receiver had before. */
  readonly again?: { readonly number: string; readonly key: string | undefined } | undefined
}

/** Rooms of this process: who waits in which, and who may ask the reflector. No sockets in here. */
export class Rooms {
  readonly #nowMs: () => number
  readonly #random: Random
  readonly #ended: (room: Room) => void
  readonly #rooms = new Map<string, Room>()
  readonly #tickets = new Map<string, number>()

  /**
   * @param nowMs monotonic
   * @param ended called when two who met in a room are not there any more
   */
  constructor(nowMs: () => number, random: Random, ended: (room: Room) => void) {
    this.#nowMs = nowMs
    this.#random = random
    this.#ended = ended
  }

  get size(): number {
    return this.#rooms.size
  }

  /** @throws AppError RENDEZVOUS_ROOMS_LIMIT, RENDEZVOUS_ROOM_TAKEN */
  open({ owner, seat, roomsPerOwner, again }: OpenRequest): Room {
    const known = again && this.#rooms.get(again.number)
    if (known !== undefined) return this.#openAgain(known, { owner, seat, key: again?.key })
    let ofOwner = 0
    for (const room of this.#rooms.values()) if (room.owner === owner) ofOwner++
    if (ofOwner >= roomsPerOwner || this.#rooms.size >= ROOMS_MAX)
      throw new AppError('RENDEZVOUS_ROOMS_LIMIT', { limit: roomsPerOwner })
    const room: Room = {
      number: again?.number ?? this.#freeNumber(),
      key: again?.key ?? this.#randomHex(),
      ...{ owner, receiver: seat, sender: undefined, relayedBytes: 0, unusedSince: this.#nowMs() },
    }
    this.#rooms.set(room.number, room)
    return room
  }

  /** A newer connection of the same receiver takes the place of an older one, which may be dead without anybody knowing. */
  #openAgain(room: Room, { owner, seat, key }: { owner: string; seat: Seat; key: string | undefined }): Room {
    const isSame = key === room.key || (owner === room.owner && owner.startsWith('account '))
    if (!isSame) throw new AppError('RENDEZVOUS_ROOM_TAKEN')
    const [receiver, sender] = [room.receiver, room.sender]
    this.#empty(room)
    room.receiver = seat
    receiver?.expired()
    sender?.expired()
    return room
  }

  /**
   * @param mostBytes that one room may have relayed
   * @throws AppError RENDEZVOUS_ROOM_NOT_FOUND, RENDEZVOUS_ROOM_TAKEN, RENDEZVOUS_RECEIVER_AWAY, RENDEZVOUS_RELAY_LIMIT
   */
  join(number: string, seat: Seat, mostBytes = Infinity): Room {
    const room = this.#rooms.get(number)
    if (room === undefined) throw new AppError('RENDEZVOUS_ROOM_NOT_FOUND')
    if (room.sender !== undefined) throw new AppError('RENDEZVOUS_ROOM_TAKEN')
    if (room.receiver === undefined) throw new AppError('RENDEZVOUS_RECEIVER_AWAY')
    if (room.relayedBytes > mostBytes) throw new AppError('RENDEZVOUS_RELAY_LIMIT')
    room.sender = seat
    room.receiver.joined(room)
    return room
  }

  /** The room stays for its receiver to come back. @returns the one who is left there and has to go */
  leave(room: Room, seat: Seat): Seat | undefined {
    if (room.receiver !== seat && room.sender !== seat) return undefined
    const other = room.receiver === seat ? room.sender : room.receiver
    this.#empty(room)
    return other
  }

  #empty(room: Room): void {
    const hadMet = room.sender !== undefined
    room.receiver = undefined
    room.sender = undefined
    if (!hadMet) return
    room.unusedSince = this.#nowMs()
    this.#ended(room)
  }

  /** Closes rooms that nobody used for their life. */
  sweep(): void {
    for (const room of this.#rooms.values()) {
      if (room.sender !== undefined || this.#nowMs() - room.unusedSince < LIFE_MS) continue
      this.#rooms.delete(room.number)
      room.receiver?.expired()
    }
  }

  /** For one side of a room, as long as it is there. */
  issueTicket(): string {
    const ticket = this.#randomHex()
    this.#tickets.set(ticket, REFLECTIONS)
    return ticket
  }

  dropTicket(ticket: string): void {
    this.#tickets.delete(ticket)
  }

  /** Whether the reflector may answer once more. */
  reflects(ticket: Uint8Array): boolean {
    const key = Buffer.from(ticket).toString('hex')
    const left = this.#tickets.get(key) ?? 0
    if (left > 0) this.#tickets.set(key, left - 1)
    return left > 0
  }

  #freeNumber(): string {
    for (let digits = FIRST_DIGITS; ; digits++) {
      for (let draw = 0; draw < DRAWS; draw++) {
        const value = Buffer.from(this.#random.fill(new Uint8Array(6))).readUIntBE(0, 6)
        const number = String(10 ** (digits - 1) + (value % (9 * 10 ** (digits - 1))))
        if (!this.#rooms.has(number)) return number
      }
    }
  }

  #randomHex(): string {
    return Buffer.from(this.#random.fill(new Uint8Array(TICKET_BYTES))).toString('hex')
  }
}
