import {
  CLIENT_SOCKET_FULL,
  clientMessage,
  SOCKET_PROTOCOL_ERROR,
  SOCKET_SESSION_ENDED,
  type ClientCommand,
  type ClientOutcome,
  type ClientServerMessage,
  type ClientView,
  type SessionEnd,
  type UpgradeRefusal,
  type UpgradeReport,
} from '@godwit/contract'
import type { Clock } from '@godwit/base'
import type { WebSocket } from 'ws'
import type { z } from 'zod'
import type { Ctx, Log } from '../../kernel/context.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import { AppError, failureBody } from '../../kernel/errors.ts'
import { noteFailure } from '../http/index.ts'
import {
  CLOSING_MS,
  createRateLimit,
  LOGIN_MS,
  parseJson,
  STRANGER_FRAME_BYTES,
  type Credentials,
  type DoorSocket,
  type ProvenLogin,
} from '../sockets/index.ts'
import type { ConnectedDevices } from '../../identity/devices/index.ts'
import { accountOf, sessionIdOf } from '../../identity/principals/index.ts'

/** What a client answers to a command. */
export interface Obeyed {
  readonly success: boolean
  readonly outcome?: ClientOutcome | undefined
  readonly refusal?: UpgradeRefusal | undefined
}

/** A desktop client as it introduced itself, and the line to it. */
export interface ClientLine {
  readonly userId: string
  readonly deviceId: string
  readonly deviceName: string
  readonly platform: string
  readonly version: string
  readonly spaceId: number
  readonly ready: boolean
  readonly canAsk: boolean
  /** @throws AppError CLIENT_NOT_CONNECTED, TRANSFER_CLIENT_TIMEOUT */
  command(command: ClientCommand): Promise<Obeyed>
  /** Its place was taken by a newer connection of the same device. */
  replaced(): void
}

/** What keeps the clients that are connected. `Present` is its own, and is given back to it as it is. */
export interface ClientHost<Present = unknown> {
  /** @throws AppError when it may not stay */
  enter(line: ClientLine): Promise<Present>
  change(client: Present, change: { readonly ready: boolean; readonly spaceId?: number | undefined }): Promise<void>
  /** What became of its last upgrade. */
  upgraded(client: Present, failure: UpgradeReport | null): Promise<void>
  leave(client: Present): Promise<void>
  viewOf(userId: string): Promise<ClientView>
}

export interface ClientSocketDeps {
  readonly clients: ClientHost
  readonly credentials: Credentials
  readonly devices: ConnectedDevices
  readonly clock: Clock
  readonly log: Log
  /** How long a client may take for a command. */
  readonly commandMs: number
}

type Message = z.output<typeof clientMessage>
type Hello = Extract<Message, { type: 'hello' }>

interface Waiting {
  readonly settle: (obeyed: Obeyed) => void
  readonly fail: (error: AppError) => void
}

/** Frames of a client are short. */
const FRAME_MAX_BYTES = STRANGER_FRAME_BYTES

/** One desktop client: says hello, stays, and does what pages of its account ask of it through the server. */
export class ClientSocket implements DoorSocket {
  readonly #deps: ClientSocketDeps
  readonly #socket: WebSocket
  readonly #base: Ctx
  readonly #rate: ReturnType<typeof createRateLimit>
  readonly #waiting = new Map<number, Waiting>()
  #nextId = 1
  #login: ProvenLogin | undefined
  #present: unknown
  #greeted = false
  #alive = true

  /** @param base what is known of the caller before it says hello */
  constructor(deps: ClientSocketDeps, socket: WebSocket, base: Ctx) {
    this.#deps = deps
    this.#socket = socket
    this.#base = base
    this.#rate = createRateLimit(() => deps.clock.monotonic())
    const deadline = setTimeout(() => {
      if (this.#present === undefined) this.#close(SOCKET_PROTOCOL_ERROR, 'no hello within 10 s')
    }, LOGIN_MS)
    socket.on('message', (data, isBinary) => void this.#take(data as Buffer, isBinary))
    socket.on('pong', () => (this.#alive = true))
    // A frame that breaks the protocol: the library closes with the right code; who does not answer that is cut.
    socket.on('error', () => this.#cutLater())
    socket.on('close', () => {
      clearTimeout(deadline)
      for (const { fail } of this.#waiting.values()) fail(new AppError('CLIENT_NOT_CONNECTED'))
      void this.#leave()
    })
  }

  get principal(): AccountPrincipal | undefined {
    return this.#login?.principal
  }

  /** Whether it has said hello and may stay. */
  get isPresent(): boolean {
    return this.#present !== undefined
  }

  async endedBy(): Promise<SessionEnd | undefined> {
    return this.#login?.endedBy()
  }

  endSession(reason: SessionEnd): void {
    this.#send({ type: 'event', event: 'session.ended', reason })
    this.#close(SOCKET_SESSION_ENDED, reason)
  }

  /** Cuts a client that did not answer since the last beat: a computer that went to sleep says nothing. */
  beat(): void {
    if (!this.#alive) this.#socket.terminate()
    else if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping()
    this.#alive = false
  }

  async #take(data: Buffer, isBinary: boolean): Promise<void> {
    const message = clientMessage.safeParse(
      isBinary || data.length > FRAME_MAX_BYTES ? undefined : parseJson(data.toString('utf8')),
    )
    if (!message.success || !this.#rate.admits()) return this.#close(SOCKET_PROTOCOL_ERROR, 'malformed message')
    const { id } = message.data
    try {
      const answer = await this.#answer(message.data)
      if (answer !== undefined) this.#send({ type: 'answer', id, code: 200, data: answer })
    } catch (thrown) {
      const error = noteFailure(this.#deps.log, this.#base, thrown)
      this.#send({ type: 'answer', id, ...failureBody(this.#base, error) })
      if (this.#present === undefined && message.data.type === 'hello') this.#refuse(error)
    }
  }

  async #answer(message: Message): Promise<unknown> {
    switch (message.type) {
      case 'ping':
        return {}
      case 'hello':
        return this.#greet(message)
      case 'status':
        if (this.#present === undefined) throw new AppError('TOKEN_INVALID')
        await this.#deps.clients.change(this.#present, message)
        return {}
      case 'upgrade':
        if (this.#present === undefined || this.#login === undefined) throw new AppError('TOKEN_INVALID')
        await this.#deps.devices.upgraded(this.#login.principal, message.failure)
        await this.#deps.clients.upgraded(this.#present, message.failure)
        return {}
      case 'done':
        this.#waiting.get(message.id)?.settle(message)
        return undefined
    }
  }

  async #greet(hello: Hello): Promise<unknown> {
    if (this.#greeted) throw new AppError('PARAMETER_INVALID', { field: 'type', rule: 'said hello already' })
    this.#greeted = true
    const login = await this.#deps.credentials.prove(hello, this.#base)
    const { principal } = login
    // An API token is for programs of its owner's making, not for a client that whole pages command; a device has one of its own.
    if (sessionIdOf(principal) === '' && !(await this.#deps.devices.isSignedIn(principal)))
      throw new AppError('CLIENT_CODE_REQUIRED')
    this.#login = login
    const { spaceIds } = accountOf(principal)
    const spaceId = spaceIds.includes(hello.spaceId) ? hello.spaceId : (spaceIds[0] ?? 0)
    this.#present = await this.#deps.clients.enter(this.#line({ ...hello, spaceId }, principal))
    await this.#deps.devices.seen(principal, { version: hello.version, address: this.#base.address })
    // It may have hung up while its place was looked for.
    if (this.#socket.readyState !== this.#socket.OPEN) await this.#leave()
    return { client: await this.#deps.clients.viewOf(principal.id) }
  }

  #line(
    { deviceId, deviceName, platform, version, spaceId, ready, canAsk }: Hello,
    { id: userId }: AccountPrincipal,
  ): ClientLine {
    return {
      ...{ userId, deviceId, deviceName, platform, version, spaceId, ready, canAsk },
      command: (command) => this.#command(command),
      replaced: () => this.#close(1000, 'replaced by a newer connection'),
    }
  }

  async #command(command: ClientCommand): Promise<Obeyed> {
    const id = this.#nextId++
    const { promise, resolve, reject } = Promise.withResolvers<Obeyed>()
    const timer = setTimeout(() => reject(new AppError('TRANSFER_CLIENT_TIMEOUT')), this.#deps.commandMs)
    this.#waiting.set(id, { settle: resolve, fail: reject })
    this.#send({ type: 'command', id, command })
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(id)
    }
  }

  async #leave(): Promise<void> {
    const present = this.#present
    if (present === undefined) return
    await this.#deps.clients.leave(present).catch((thrown: unknown) => noteFailure(this.#deps.log, this.#base, thrown))
  }

  #refuse(error: AppError): void {
    this.#close(error.code === 'CLIENT_CONNECTION_LIMIT' ? CLIENT_SOCKET_FULL : SOCKET_SESSION_ENDED, error.code)
  }

  #send(message: ClientServerMessage): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  #close(code: number, reason: string): void {
    this.#socket.close(code, reason.slice(0, 100))
    this.#cutLater()
  }

  /** A peer that does not answer the closing handshake is cut. */
  #cutLater(): void {
    setTimeout(() => this.#socket.terminate(), CLOSING_MS).unref()
  }
}
