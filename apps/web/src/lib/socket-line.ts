import { FILE_SOCKET_PATH } from '@godwit/contract/content/file-socket-events'
import { LIMITS } from '@godwit/contract/limits'
import { createStore, type Store } from './store.ts'

/** Between two looks whether the line still carries anything. */
const PING_MS = 10_000
/** A line that carried nothing for so long after a ping is dead, whatever the browser says of it. */
const PONG_MS = 5_000
/** A connection that is not signed in by then never will be. */
const CONNECT_MS = 15_000

export interface LineEvents {
  /** A connection is open; it counts as up once `confirm` is called. */
  readonly onOpen: () => void
  readonly onText: (text: string) => void
  readonly onDown: () => void
  /** Sends something that is answered. */
  readonly ping: () => void
  /** Whether to connect again after the server closed with this code. */
  readonly mayReconnect: (code: number) => Promise<boolean>
}

export interface SocketLine {
  /** False while there is no connection that is signed in. */
  readonly online: Store<boolean>
  connect(): void
  send(text: string): void
  /** The connection is signed in. */
  confirm(): void
  /** Closes this connection; another one follows. */
  drop(): void
  close(): void
}

/**
 * Keeps one connection of the file socket up. It retries every 6 seconds while it is down. Packets that vanish close
 * nothing, so a connection that does not answer a ping is given up, and so is every connection when the browser goes offline.
 */
export function createSocketLine(events: LineEvents): SocketLine {
  const online = createStore(false)
  let socket: WebSocket | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let isClosed = false
  let attempts = 0

  const deadline = createDeadline(() => giveUp())
  const connect = (): void => {
    socket = new WebSocket(socketAddress())
    socket.onopen = events.onOpen
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      // Whatever arrives shows that the line lives; until the sign-in is answered that is not enough.
      if (online.get()) deadline.met()
      events.onText(data)
    }
    socket.onclose = async ({ code }) => {
      down()
      if (await events.mayReconnect(code)) reconnect()
    }
    deadline.set(CONNECT_MS)
  }
  const reconnect = (): void => {
    if (isClosed) return
    attempts += 1
    if (attempts <= LIMITS.reconnectAttempts) retry = setTimeout(connect, LIMITS.reconnectMs)
  }
  const down = (): void => {
    deadline.met()
    online.set(false)
    events.onDown()
  }
  /** Lets go of a connection that is dead but not closed: its close would wait for an answer that never comes. */
  const abandon = (): void => {
    if (socket === undefined) return
    Object.assign(socket, { onopen: null, onmessage: null, onclose: null })
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
    clearTimeout(retry)
    abandon()
    connect()
  }
  const pings = setInterval(() => {
    if (!online.get()) return
    events.ping()
    deadline.set(PONG_MS)
  }, PING_MS)
  addEventListener('offline', abandon)
  addEventListener('online', onOnline)

  return {
    online,
    connect,
    send: (text) => socket?.send(text),
    confirm() {
      attempts = 0
      deadline.met()
      online.set(true)
    },
    drop: () => socket?.close(),
    close() {
      isClosed = true
      removeEventListener('offline', abandon)
      removeEventListener('online', onOnline)
      clearTimeout(retry)
      deadline.met()
      clearInterval(pings)
      socket?.close()
    },
  }
}

/** A moment by which the line must have shown that it lives. */
function createDeadline(onMissed: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    /** An earlier one stays. */
    set(ms: number): void {
      timer ??= setTimeout(onMissed, ms)
    },
    met(): void {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

function socketAddress(): URL {
  const address = new URL(FILE_SOCKET_PATH, location.href)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  return address
}
