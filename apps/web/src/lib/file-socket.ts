import type {
  FileOperationName,
  OperationInput,
  OperationReply,
  SocketAnswer,
  SocketEvent,
  SocketRequest,
} from '@godwit/contract'
import { FILE_SOCKET_PATH, SOCKET_SESSION_ENDED } from '@godwit/contract/content/file-socket-events'
import { LIMITS } from '@godwit/contract/limits'
import { ApiError, serverUnavailable } from '@godwit/contract/wire/api-error'
import type { SessionStore } from './session.ts'
import { createStore, type Store } from './store.ts'
import { takeTurns } from './take-turns.ts'

export interface Place {
  readonly spaceId: number
  readonly groupId: number
}

export interface FileSocket {
  /** False while the socket is down; operations then go by HTTP. */
  readonly online: Store<boolean>
  call<Name extends FileOperationName>(
    operation: Name,
    input: OperationInput<Name>,
    signal: AbortSignal | undefined,
  ): Promise<OperationReply<Name>>
  /** Reports changes in a folder until the returned function is called. */
  watch(place: Place, folder: string, onChange: () => void): () => void
  /** Reports what the server sends on its own, until the returned function is called. */
  on<Name extends SocketEventName>(name: Name, listener: (event: SocketEventOf<Name>) => void): () => void
  close(): void
}

export type SocketEventName = SocketEvent['event']
export type SocketEventOf<Name extends SocketEventName> = Extract<SocketEvent, { readonly event: Name }>

interface Waiting {
  readonly resolve: (data: unknown) => void
  readonly reject: (error: unknown) => void
}

interface Watch {
  readonly place: Place
  readonly folder: string
  readonly onChange: () => void
}

/** Between two looks whether the line still carries anything. */
const PING_MS = 10_000
/** A line that carried nothing for so long after a ping is dead, whatever the browser says of it. */
const PONG_MS = 5_000
/** A connection that is not signed in by then never will be. */
const CONNECT_MS = 15_000

type Outgoing<Request = SocketRequest> = Request extends unknown ? Omit<Request, 'id'> : never

/**
 * The file socket of one signed-in page. It matches replies by id, watches its folders again after every reconnection, and
 * retries every 6 seconds while it is down. Packets that vanish close nothing, so a line that does not answer a ping is given
 * up, and so is every line when the browser goes offline.
 * @param spaceId asked with each login: the space may be another by then
 */
export function openFileSocket(session: SessionStore, spaceId: () => number): FileSocket {
  const online = createStore(false)
  const waiting = new Map<number, Waiting>()
  const watches = new Set<Watch>()
  const listeners = new Set<(event: SocketEvent) => void>()
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let verdict: ReturnType<typeof setTimeout> | undefined
  let lastId = 0
  let isClosed = false
  let attempts = 0
  /** The token of the last login; a refresh makes it worthless, so the socket then signs in again. */
  let shownToken: string | undefined

  const send = (request: Outgoing): number => {
    lastId += 1
    socket?.send(JSON.stringify({ ...request, id: lastId }))
    return lastId
  }
  const ask = (request: Outgoing): Promise<unknown> =>
    new Promise((resolve, reject) => {
      waiting.set(send(request), { resolve, reject })
    })
  const failAll = (): void => {
    for (const { reject } of waiting.values()) reject(serverUnavailable())
    waiting.clear()
  }
  const signIn = async (): Promise<void> => {
    const token = session.get()?.token
    if (token === undefined) return socket?.close()
    shownToken = token
    await ask({ type: 'login', token, spaceId: spaceId() })
    for (const { place, folder } of watches) watchNow(place, folder)
    attempts = 0
    clearTimeout(verdict)
    verdict = undefined
    online.set(true)
    // Changes made while the socket was down were not reported.
    for (const { onChange } of watches) onChange()
  }
  const watchNow = (place: Place, folder: string): void => {
    // A folder that is gone cannot be watched; the listing says so itself.
    ask({ type: 'watch', ...place, folder }).catch(() => undefined)
  }
  const onMessage = (message: MessageEvent<string>): void => {
    // Whatever arrives shows that the line lives; until the sign-in is answered that is not enough.
    if (online.get()) {
      clearTimeout(verdict)
      verdict = undefined
    }
    const frame = JSON.parse(message.data) as SocketAnswer | SocketEvent
    if (frame.type === 'event') return void onEvent(frame)
    const call = waiting.get(frame.id)
    waiting.delete(frame.id)
    if ('message' in frame) call?.reject(new ApiError(frame))
    else call?.resolve(frame.data)
  }
  const isRenewed = (): boolean => session.get() !== undefined && session.get()?.token !== shownToken
  /** Not where only a spent token ended: its renewal may be under way, and the page not yet know the new one. */
  const hasSessionEnded = async (): Promise<boolean> => takeTurns(() => Promise.resolve(!isRenewed()))
  const onEvent = async (event: SocketEvent): Promise<void> => {
    if (event.event !== 'session.ended' || (await hasSessionEnded())) emit(event)
  }
  const emit = (event: SocketEvent): void => {
    for (const listener of [...listeners]) listener(event)
    if (event.event !== 'folder.changed') return
    for (const { place, folder, onChange } of [...watches]) {
      if (folder === event.folder && place.groupId === event.groupId && place.spaceId === event.spaceId) onChange()
    }
  }
  const reconnect = (): void => {
    if (isClosed) return
    attempts += 1
    if (attempts <= LIMITS.reconnectAttempts) timer = setTimeout(connect, LIMITS.reconnectMs)
  }
  const connect = (): void => {
    const address = new URL(FILE_SOCKET_PATH, location.href)
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
    socket = new WebSocket(address)
    socket.onopen = () => void signIn().catch(() => socket?.close())
    socket.onmessage = onMessage
    socket.onclose = async ({ code }) => {
      down()
      if (code !== SOCKET_SESSION_ENDED || !(await hasSessionEnded())) reconnect()
    }
    verdict = setTimeout(giveUp, CONNECT_MS)
  }
  const down = (): void => {
    clearTimeout(verdict)
    verdict = undefined
    online.set(false)
    failAll()
  }
  /** Lets go of a line that is dead but not closed: its close would wait for an answer that never comes. */
  const abandon = (): void => {
    if (socket === undefined) return
    socket.onopen = null
    socket.onmessage = null
    socket.onclose = null
    socket.close()
    socket = undefined
    down()
  }
  const giveUp = (): void => {
    abandon()
    reconnect()
  }
  const onOnline = (): void => {
    if (isClosed || online.get()) return
    attempts = 0
    clearTimeout(timer)
    abandon()
    connect()
  }
  addEventListener('offline', abandon)
  addEventListener('online', onOnline)
  const pings = setInterval(() => {
    if (!online.get()) return
    ask({ type: 'ping' }).catch(() => undefined)
    verdict ??= setTimeout(giveUp, PONG_MS)
  }, PING_MS)
  const stopFollowing = session.subscribe(() => {
    if (online.get() && isRenewed()) signIn().catch(() => socket?.close())
  })
  connect()

  return {
    online,
    async call(operation, input, signal) {
      const answer = ask({ type: 'call', operation, input })
      signal?.throwIfAborted()
      return (await (signal === undefined ? answer : Promise.race([answer, rejectOnAbort(signal)]))) as never
    },
    watch(place, folder, onChange) {
      const watch = { place, folder, onChange }
      watches.add(watch)
      if (online.get()) watchNow(place, folder)
      return () => {
        watches.delete(watch)
        const isShared = [...watches].some((other) => other.folder === folder && other.place.groupId === place.groupId)
        if (online.get() && !isShared) ask({ type: 'unwatch', ...place, folder }).catch(() => undefined)
      }
    },
    on(name, listener) {
      const each = (event: SocketEvent): void => {
        if (event.event === name) listener(event as Parameters<typeof listener>[0])
      }
      listeners.add(each)
      return () => listeners.delete(each)
    },
    close() {
      isClosed = true
      stopFollowing()
      removeEventListener('offline', abandon)
      removeEventListener('online', onOnline)
      clearTimeout(timer)
      clearTimeout(verdict)
      clearInterval(pings)
      socket?.close()
    },
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}
