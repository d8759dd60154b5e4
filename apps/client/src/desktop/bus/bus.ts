import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { decode, encode, KINDS, type Message } from './message.ts'

export interface BusCall {
  readonly destination: string
  readonly path: string
  readonly interface: string
  readonly member: string
  readonly signature?: string
  readonly body?: readonly unknown[]
}

export interface BusAnswer {
  readonly signature: string
  readonly body: readonly unknown[]
}

/** What others ask of this program. @returns undefined for what it does not have */
export type BusHandler = (call: Message) => BusAnswer | undefined

const BUS = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', interface: 'org.freedesktop.DBus' }
const UNKNOWN = 'org.freedesktop.DBus.Error.UnknownMethod'

/** A connection to the message bus of the session: as much of the D-Bus specification as a tray needs. */
export class Bus {
  readonly #socket: Socket
  readonly #waiting = new Map<number, { resolve(body: readonly unknown[]): void; reject(error: Error): void }>()
  #serial = 0
  handle: BusHandler = () => undefined
  heard: (signal: Message) => void = () => undefined

  private constructor(socket: Socket) {
    this.#socket = socket
  }

  /** @param address as DBUS_SESSION_BUS_ADDRESS has it. @throws Error without a bus there */
  static async connect(address: string): Promise<Bus> {
    const socket = connect({ path: pathIn(address) })
    await once(socket, 'connect')
    // "Authentication Protocol": the kernel tells the bus who is at the other end.
    const uid = String(process.getuid?.() ?? 0)
    socket.write(`\0AUTH EXTERNAL ${Buffer.from(uid).toString('hex')}\r\n`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    if (!answer.toString().startsWith('OK ')) throw new Error('the bus does not let this program in')
    socket.write('BEGIN\r\n')
    const bus = new Bus(socket)
    bus.#listen()
    await bus.call({ ...BUS, member: 'Hello' })
    return bus
  }

  call(call: BusCall): Promise<readonly unknown[]> {
    const serial = ++this.#serial
    const { promise, resolve, reject } = Promise.withResolvers<readonly unknown[]>()
    this.#waiting.set(serial, { resolve, reject })
    this.#send({ body: [], ...call, kind: KINDS.call, serial })
    return promise
  }

  /** Calls of the bus itself. */
  ask(member: string, signature: string, ...body: readonly unknown[]): Promise<readonly unknown[]> {
    return this.call({ ...BUS, member, signature, body })
  }

  emit(signal: Pick<BusCall, 'path' | 'interface' | 'member'> & Partial<BusAnswer>): void {
    this.#send({ body: [], ...signal, kind: KINDS.signal, serial: ++this.#serial })
  }

  /** Resolves when the bus is gone. */
  async closed(): Promise<void> {
    if (!this.#socket.destroyed) await once(this.#socket, 'close')
  }

  close(): void {
    this.#socket.destroy()
  }

  #send(message: Message): void {
    if (!this.#socket.destroyed) this.#socket.write(encode(message))
  }

  #listen(): void {
    let rest: Buffer = Buffer.alloc(0)
    this.#socket.on('data', (bytes: Buffer) => {
      try {
        const found = decode(Buffer.concat([rest, bytes]))
        ;({ rest } = found)
        for (const message of found.messages) this.#take(message)
      } catch {
        // What comes after a message that cannot be read means nothing.
        this.close()
      }
    })
    // Its end follows, and says the same to everybody who waits.
    this.#socket.on('error', () => undefined)
    this.#socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the bus is gone'))
      this.#waiting.clear()
    })
  }

  #take(message: Message): void {
    if (message.kind === KINDS.signal) this.heard(message)
    else if (message.kind === KINDS.call) this.#answer(message)
    else {
      const caller = this.#waiting.get(message.replyTo ?? 0)
      this.#waiting.delete(message.replyTo ?? 0)
      if (message.kind === KINDS.answer) caller?.resolve(message.body)
      else caller?.reject(new Error(`${message.error}: ${message.body.join(' ')}`))
    }
  }

  #answer(call: Message): void {
    const to = { serial: ++this.#serial, replyTo: call.serial, ...(call.sender ? { destination: call.sender } : {}) }
    const answer = this.handle(call)
    if (answer !== undefined) this.#send({ ...to, ...answer, kind: KINDS.answer })
    else this.#send({ ...to, kind: KINDS.error, error: UNKNOWN, signature: 's', body: [`no ${call.member}`] })
  }
}

/** "Server Addresses": the first socket of the list; a name without a file begins with a zero byte. */
function pathIn(address: string): string {
  for (const each of address.split(';')) {
    const [, key, value] = /^unix:(?:.*,)?(path|abstract)=([^,]*)/.exec(each) ?? []
    if (value !== undefined) return `${key === 'abstract' ? '\0' : ''}${decodeURIComponent(value)}`
  }
  throw new Error('the bus has no socket of this computer')
}
