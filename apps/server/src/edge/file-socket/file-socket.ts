import {
  socketRequest,
  SOCKET_PROTOCOL_ERROR,
  SOCKET_SESSION_ENDED,
  type PushMessages,
  type SessionEnd,
  type SocketAnswer,
  type SocketEventOf,
} from '@godwit/contract'
import type { Clock } from '@godwit/base'
import type { WebSocket } from 'ws'
import type { z } from 'zod'
import type { Licence } from '../../foundation/licence/index.ts'
import type { Ctx, Log, UserCtx } from '../../kernel/context.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import type { Operation } from '../../kernel/endpoint.ts'
import { AppError, failureBody } from '../../kernel/errors.ts'
import { validInput } from '../../kernel/valid-input.ts'
import type { Lease, RequestMemory } from '../../kernel/request-memory.ts'
import type { Admission, Push, PushedMessage, Watch } from '../../kernel/push.ts'
import { noteFailure, requireFewValues } from '../http/index.ts'
import {
  AnswerMemory,
  CLOSING_MS,
  createRateLimit,
  holdFrame,
  LOGIN_MS,
  parseJson,
  STRANGER_FRAME_BYTES,
  type Credentials,
  type DoorSocket,
  type ProvenLogin,
} from '../sockets/index.ts'
import { accountOf, sessionIdOf } from '../../identity/principals/index.ts'

export interface FileSocketDeps {
  readonly operations: ReadonlyMap<string, Operation>
  readonly credentials: Credentials
  readonly watches: ReadonlyMap<string, Watch>
  readonly admissions: readonly Admission[]
  readonly push: readonly Push[]
  readonly memory: RequestMemory
  readonly licence: Pick<Licence, 'requireFeature'>
  readonly clock: Clock
  readonly log: Log
}

type Request = z.output<typeof socketRequest>
type Login = Extract<Request, { type: 'login' }>
type Topic = Extract<Request, { type: 'follow' }>['topic']
type WatchRequest = Extract<Request, { type: 'watch' | 'unwatch' }>

/** Calls under way at once; a page uses a handful. */
const PENDING_MAX = 32
const WATCHES_MAX = 64
/** A folder's changes are sent at most this often. */
const NOTIFY_EVERY_MS = 1_000
/** What `watch` frames lead to. */
const FOLDER_EVENT = 'folder.changed'

/** One connection: signs in, then calls operations and watches folders. */
export class FileSocket implements DoorSocket {
  readonly #deps: FileSocketDeps
  readonly #socket: WebSocket
  readonly #base: Ctx
  readonly #answers: AnswerMemory
  readonly #closed = new AbortController()
  readonly #watches = new Map<string, () => void>()
  readonly #rate: ReturnType<typeof createRateLimit>
  #login: ProvenLogin | undefined
  #pending = 0
  /** Watches that are being opened, by their folder. */
  readonly #opening = new Map<unknown, Promise<unknown>>()

  /** @param base what is known of the caller before it signs in */
  constructor(deps: FileSocketDeps, socket: WebSocket, base: Ctx) {
    this.#deps = deps
    this.#socket = socket
    this.#base = base
    this.#answers = new AnswerMemory(socket, deps.memory.calls)
    this.#rate = createRateLimit(() => deps.clock.monotonic())
    const deadline = setTimeout(() => {
      if (this.#login === undefined) this.#refuse('no login within 10 s')
    }, LOGIN_MS)
    socket.on('message', (data, isBinary) => void this.#take(data as Buffer, isBinary))
    // A frame that breaks the protocol: the library closes with the right code; who does not answer that is cut.
    socket.on('error', () => this.#cutLater())
    socket.on('close', () => {
      clearTimeout(deadline)
      this.#closed.abort(new Error('the file socket closed'))
      for (const end of this.#watches.values()) end()
      this.#watches.clear()
    })
  }

  get principal(): AccountPrincipal | undefined {
    return this.#login?.principal
  }

  async endedBy(): Promise<SessionEnd | undefined> {
    return this.#login?.endedBy()
  }

  endSession(reason: SessionEnd): void {
    this.send({ type: 'event', event: 'session.ended', reason })
    this.#socket.close(SOCKET_SESSION_ENDED, reason.slice(0, 100))
    this.#cutLater()
  }

  show({ name, fieldsFor }: PushedMessage): void {
    this.send(eventOf(name, fieldsFor(this.#base)))
  }

  send(message: SocketAnswer | SocketEventOf<keyof PushMessages>): void {
    const socket = this.#socket
    if (socket.readyState !== socket.OPEN) return
    const isSent = this.#answers.send(JSON.stringify(message), this.principal?.id)
    if (isSent) return
    // A peer that does not take what it asked for gets no more of it; one that takes everything is asked to try again.
    if (message.type !== 'answer' || socket.bufferedAmount > 0) socket.terminate()
    else this.#fail(message.id, new AppError('SERVER_BUSY', { retryAfterSeconds: 5 }))
  }

  async #take(data: Buffer, isBinary: boolean): Promise<void> {
    if (isBinary || (this.#login === undefined && data.length > STRANGER_FRAME_BYTES)) return this.#refuse('bad frame')
    const request = socketRequest.safeParse(parseFrame(data))
    if (!request.success) return this.#refuse('malformed request')
    if (!this.#rate.admits()) return this.#fail(request.data.id, new AppError('RATE_LIMITED', { retryAfterSeconds: 1 }))
    if (this.#pending >= PENDING_MAX) return this.#fail(request.data.id, new AppError('RATE_LIMITED'))
    await this.#serve(request.data, data)
  }

  async #serve(request: Request, frame: Buffer): Promise<void> {
    this.#pending++
    let lease: Lease | undefined
    try {
      lease = holdFrame(this.#deps.memory.calls, this.principal?.id ?? '', frame)
      const work = async (): Promise<void> => {
        const answer = await this.#answer(request)
        this.send({ type: 'answer', id: request.id, code: 200, data: answer })
      }
      const holder = { owner: this.principal?.id ?? '', signal: this.#closed.signal }
      await (request.type === 'call' ? this.#deps.memory.operations.run(holder, work) : work())
    } catch (thrown) {
      if (!this.#closed.signal.aborted) this.#fail(request.id, thrown)
    } finally {
      this.#pending--
      lease?.release()
    }
  }

  async #answer(request: Request): Promise<unknown> {
    if (request.type === 'ping') return {}
    if (request.type === 'login') return this.#signIn(request)
    if (request.type === 'watch') {
      const opened = this.#ctx().then((ctx) => this.#startWatch(ctx, request))
      this.#opening.set(request.folder, opened)
      return opened.finally(() => this.#opening.delete(request.folder))
    }
    // A change between a listing and the moment its watch is open would be reported to nobody.
    if (request.type === 'call') await this.#opening.get(folderOf(request.input))?.catch(() => undefined)
    const ctx = await this.#ctx()
    switch (request.type) {
      case 'call':
        return this.#call(ctx, request.operation, request.input)
      case 'follow':
        return this.#follow(ctx, request.topic)
      case 'unwatch':
        this.#watches.get(watchKey(request))?.()
        this.#watches.delete(watchKey(request))
        return {}
    }
  }

  /** A second login shows the renewed token of the same session; watches stay. */
  async #signIn(login: Login): Promise<unknown> {
    const proven = await this.#deps.credentials.prove(login, this.#base)
    const before = this.#login?.principal
    if (before !== undefined && !isSameSession(before, proven.principal)) {
      throw new AppError('PARAMETER_INVALID', { field: 'type', rule: 'signed in already' })
    }
    for (const admit of this.#deps.admissions) admit(proven.principal, login)
    this.#login = proven
    if (before === undefined) this.#greet(proven.principal.id)
    return { userId: proven.principal.id, account: accountOf(proven.principal).account }
  }

  /** Shows what a page begins with. */
  #greet(userId: string): void {
    for (const { name, atSignIn } of this.#deps.push) {
      atSignIn?.(userId).then(
        (message) => this.show(message),
        (thrown: unknown) => this.#deps.log.warn({ err: thrown, event: name }, 'greeting a page failed'),
      )
    }
  }

  /** @throws AppError TOKEN_INVALID when the session ended meanwhile */
  async #ctx(): Promise<UserCtx> {
    const principal = await this.#login?.renew(true)
    if (principal === undefined) throw new AppError('TOKEN_INVALID')
    return { ...this.#base, principal, bearer: this.#login?.bearer, signal: this.#closed.signal }
  }

  async #call(ctx: UserCtx, name: string, input: unknown): Promise<unknown> {
    const operation = this.#deps.operations.get(name)
    if (operation === undefined) throw new AppError('OPERATION_UNSUPPORTED')
    await this.#deps.licence.requireFeature(operation.spec.feature)
    return operation.handle(ctx, validInput(operation.spec.input, input) as never)
  }

  #startWatch(ctx: UserCtx, { spaceId, groupId, folder }: WatchRequest): Promise<unknown> {
    const target = { spaceId, groupId, folder }
    return this.#open(ctx, watchKey(target), FOLDER_EVENT, target)
  }

  #follow(ctx: UserCtx, topic: Topic): Promise<unknown> {
    return this.#open(ctx, topic, `${topic}.changed`, {})
  }

  /** @param key names it on this connection */
  async #open(ctx: UserCtx, key: string, event: keyof PushMessages, target: PushMessages[typeof event]) {
    const watch = this.#deps.watches.get(event)
    if (watch === undefined) throw new AppError('OPERATION_UNSUPPORTED')
    if (this.#watches.has(key)) return {}
    if (this.#watches.size >= WATCHES_MAX) throw new AppError('RATE_LIMITED')
    const paced = atMostEvery(NOTIFY_EVERY_MS, () => this.send(eventOf(event, target)))
    const end = await watch.open(ctx, target, paced.notify)
    const stop = (): void => {
      end()
      paced.cancel()
    }
    // While its rights were checked, the socket may have closed or asked again.
    if (this.#closed.signal.aborted || this.#watches.has(key)) stop()
    else this.#watches.set(key, stop)
    return {}
  }

  #fail(id: number, thrown: unknown): void {
    const error = noteFailure(this.#deps.log, this.#base, thrown)
    this.send({ type: 'answer', id, ...failureBody(this.#base, error) })
  }

  #refuse(reason: string): void {
    this.#socket.close(SOCKET_PROTOCOL_ERROR, reason)
    this.#cutLater()
  }

  /** A peer that does not answer the closing handshake is cut. */
  #cutLater(): void {
    setTimeout(() => this.#socket.terminate(), CLOSING_MS).unref()
  }
}

function isSameSession(before: AccountPrincipal, now: AccountPrincipal): boolean {
  return sessionIdOf(before) !== '' && sessionIdOf(before) === sessionIdOf(now)
}

/** @returns undefined for what is no JSON, or too much of it */
function parseFrame(data: Buffer): unknown {
  try {
    requireFewValues(data)
    return parseJson(data.toString('utf8'))
  } catch {
    return undefined // The schema refuses it.
  }
}

function folderOf(input: unknown): unknown {
  return typeof input === 'object' && input !== null && 'folder' in input ? input.folder : undefined
}

function eventOf<Name extends keyof PushMessages>(name: Name, fields: PushMessages[Name]): SocketEventOf<Name> {
  return { type: 'event', event: name, ...fields }
}

function watchKey({ spaceId, groupId, folder }: PushMessages['folder.changed']): string {
  return `${spaceId}/${groupId}${folder}`
}

/** Notifies at once, then at most once a period; what happened in between is reported at its end. */
function atMostEvery(
  periodMs: number,
  notify: () => void,
): { readonly notify: () => void; readonly cancel: () => void } {
  let timer: NodeJS.Timeout | undefined
  let isDue = false
  const pause = (): void => {
    timer = setTimeout(() => {
      timer = undefined
      if (!isDue) return
      isDue = false
      notify()
      pause()
    }, periodMs)
  }
  return {
    notify() {
      isDue = timer !== undefined
      if (isDue) return
      notify()
      pause()
    },
    cancel: () => clearTimeout(timer),
  }
}
