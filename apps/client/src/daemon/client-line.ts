import {
  type ClientCommand,
  type ClientMessage,
  type ClientOutcome,
  clientServerMessage,
  type UpgradeRefusal,
  type UpgradeReport,
} from '@godwit/contract'
import { WebSocket } from 'ws'

/** What a client says of itself. */
export interface Introduction {
  readonly version: string
  readonly platform: 'windows' | 'macos' | 'linux'
  readonly deviceId: string
  readonly deviceName: string
  readonly spaceId: number
  /** Whether it can show a dialog to choose files. */
  readonly canAsk: boolean
}

/** What the client answers to a command. */
export interface Obeyed {
  readonly success: boolean
  /** Of a transfer. */
  readonly outcome?: ClientOutcome
  /** Of an upgrade that does not begin. */
  readonly refusal?: UpgradeRefusal
}

/** What became of the last upgrade of the program. */
export interface UpgradeNews {
  /** null: nothing is wrong. */
  current(): Promise<UpgradeReport | null>
  /** `change`: it is something else now. */
  readonly changes: EventTarget
}

export interface LineOptions {
  readonly server: string
  readonly token: string
  readonly introduction: Introduction
  readonly signal: AbortSignal
  /** Resolves when the client can transfer. */
  readonly prepare: () => Promise<void>
  readonly obey: (command: ClientCommand) => Promise<Obeyed>
  readonly connected: () => void
  readonly upgrades: UpgradeNews
  /** The server sent something that is not as the protocol has it: once for each kind, so that it fills no log. */
  readonly ignored: (what: Ignored) => void
}

export type Ignored = 'message' | 'command'

/** Why a connection ended: the code of its closing, the code of a refusal or 0, and its message or ''. */
export interface LineEnd {
  readonly code: number
  readonly refusal: number
  readonly message: string
}

const PING_MS = 15_000
/** How long the answer to a farewell is waited for. */
const FAREWELL_MS = 1_000
const HELLO_ID = 1
const STATUS_ID = 2
const PING_ID = 3
const UPGRADE_ID = 4
const REFUSED: Obeyed = { success: false, outcome: 'refused' }
/** As the standard names a connection that was lost without a farewell. */
const LOST = 1006

/** Keeps one connection to `/ws/client` until it ends. It never fails: how it ended is the result. */
export function holdLine(options: LineOptions): Promise<LineEnd> {
  const { promise, resolve } = Promise.withResolvers<LineEnd>()
  const address = new URL('/ws/client', options.server.replace(/^http/, 'ws'))
  const socket = new WebSocket(address, { perMessageDeflate: false })
  let message = ''
  let refusal = 0
  let isHeard = true
  const end = (code: number): void => {
    clearInterval(beat)
    options.signal.removeEventListener('abort', stop)
    options.upgrades.changes.removeEventListener('change', reportUpgrade)
    resolve({ code, refusal, message })
  }
  const stop = (): void => {
    socket.close(1000)
    // Without it the process would live for as long as TCP hopes for a peer that is gone.
    setTimeout(() => socket.terminate(), FAREWELL_MS).unref()
    end(1000)
  }
  const ignore = onceForEach(options.ignored)
  const send = (said: ClientMessage): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(said))
  }
  const reportUpgrade = (): void => {
    const current = options.upgrades.current().catch(() => null)
    void current.then((failure) => send({ type: 'upgrade', id: UPGRADE_ID, failure }))
  }
  // A server that went away without a farewell, or a network that changed, answers no ping.
  const beat = setInterval(() => {
    if (!isHeard) {
      socket.terminate()
      end(LOST)
    }
    isHeard = false
    send({ type: 'ping', id: PING_ID })
  }, PING_MS)

  socket.addEventListener('open', () => {
    send({ type: 'hello', id: HELLO_ID, token: options.token, ...options.introduction, ready: false })
  })
  socket.addEventListener('close', ({ code }) => end(code))
  socket.addEventListener('error', () => end(LOST))
  socket.addEventListener('message', ({ data }) => {
    isHeard = true
    const said = parse(data)
    if (said === undefined) return ignore('message')
    if (said.type === 'command') void answer(said.id, said.command)
    if (said.type === 'event') message = said.reason
    if (said.type === 'answer' && said.id === HELLO_ID) {
      if (said.code === 200) {
        if (knowsUpgrades(said.data)) {
          options.upgrades.changes.addEventListener('change', reportUpgrade)
          reportUpgrade()
        }
        void becomeReady()
      } else [refusal, message] = [said.code, said.message]
    }
  })
  const answer = async (id: number, command: ClientCommand | null): Promise<void> => {
    if (command === null) ignore('command')
    const obeyed = command === null ? REFUSED : await options.obey(command).catch((): Obeyed => ({ success: false }))
    send({ type: 'done', id, ...obeyed })
  }
  const becomeReady = async (): Promise<void> => {
    try {
      await options.prepare()
      send({ type: 'status', id: STATUS_ID, ready: true })
      options.connected()
    } catch (thrown) {
      message = thrown instanceof Error ? thrown.message : 'the engine does not start'
      stop()
    }
  }
  if (options.signal.aborted) stop()
  else options.signal.addEventListener('abort', stop)
  return promise
}

function onceForEach<T>(report: (one: T) => void): (one: T) => void {
  const known = new Set<T>()
  return (one) => {
    if (!known.has(one)) report(one)
    known.add(one)
  }
}

/** An older server hangs up on what it does not know. */
function knowsUpgrades(data: unknown): boolean {
  return isObject(data) && 'client' in data && isObject(data.client) && 'upgradeFailure' in data.client
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** @returns undefined for what is no message of this protocol */
function parse(data: unknown): ReturnType<typeof clientServerMessage.parse> | undefined {
  try {
    return clientServerMessage.safeParse(JSON.parse(String(data))).data
  } catch {
    return undefined
  }
}
