import type {
  ClientCommand,
  ClientMessage,
  ClientOutcome,
  ClientServerMessage,
  UpgradeRefusal,
  UpgradeReport,
} from '@godwit/contract'

/** A desktop client controlled by a test: the real protocol of `/ws/client`, with no engine behind it. */
export interface ScriptedClient {
  /** What the server answered to the hello. */
  readonly hello: { readonly code: number; readonly data: unknown }
  /** The commands it received, in order. */
  readonly commands: readonly ClientCommand[]
  /** The events that the server sent. */
  readonly events: ReadonlyArray<Extract<ClientServerMessage, { type: 'event' }>>
  /** How it answers commands from now on; `silent` never answers. */
  obey(how: 'yes' | 'no' | 'silent'): void
  /** What becomes of transfers that it is handed from now on. */
  answer(outcome: ClientOutcome): void
  /** Why it does not upgrade itself from now on, together with `obey('no')`. */
  refuse(refusal: UpgradeRefusal): void
  /** Reports whether it is ready. @returns the code of the answer */
  status(ready: boolean): Promise<number>
  /** Reports what became of its last upgrade. @returns the code of the answer */
  upgraded(failure: UpgradeReport | null): Promise<number>
  /** Resolves with the close code. */
  readonly closed: Promise<number>
  close(): Promise<void>
}

export interface ScriptedClientOptions {
  /** Base address of the server: `http://127.0.0.1:8090`. */
  readonly url: string
  readonly token?: string
  /** Used instead of the token, from which it is derived. */
  readonly username?: string
  readonly password?: string
  /** Default 1.0.0. */
  readonly version?: string
  readonly deviceId?: string
  readonly deviceName?: string
  readonly spaceId?: number
  readonly ready?: boolean
  /** What becomes of transfers that it is handed; absent: it does not know them. */
  readonly outcome?: ClientOutcome
  /** Whether it can show a dialog to choose files. */
  readonly canAsk?: boolean
}

type Answer = Extract<ClientServerMessage, { type: 'answer' }>

/**
 * Connects and sends the hello. A refused hello is not an error: check `hello.code`.
 * @throws Error when the server accepts no connection
 * One piece: its functions share the one connection.
 */
export async function connectScriptedClient({
  url,
  outcome: first,
  ...wanted
}: ScriptedClientOptions): Promise<ScriptedClient> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws/client`)
  const commands: ClientCommand[] = []
  const events: Array<Extract<ClientServerMessage, { type: 'event' }>> = []
  const waiting = new Map<number, (answer: Answer) => void>()
  let manner: 'yes' | 'no' | 'silent' = 'yes'
  let outcome = first
  let refusal: UpgradeRefusal | undefined
  let nextId = 1
  const closed = new Promise<number>((resolve) => {
    socket.addEventListener('close', ({ code }) => resolve(code))
  })

  const send = (message: ClientMessage): void => socket.send(JSON.stringify(message))
  const ask = (message: ClientMessage): Promise<Answer> =>
    new Promise((resolve) => {
      waiting.set(message.id, resolve)
      void closed.then((code) => resolve({ type: 'answer', id: message.id, code, message: 'closed' }))
      send(message)
    })

  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as ClientServerMessage
    if (message.type === 'answer') waiting.get(message.id)?.(message)
    else if (message.type === 'event') events.push(message)
    else {
      commands.push(message.command)
      if (manner !== 'silent') send({ type: 'done', id: message.id, success: manner === 'yes', outcome, refusal })
    }
  })
  await opened(socket)

  const greeting = { version: '1.0.0', platform: 'linux', deviceId: 'scripted-client', ...wanted } as const
  const answer = await ask({ type: 'hello', id: nextId++, ...greeting })
  return {
    hello: { code: answer.code, data: 'data' in answer ? answer.data : undefined },
    commands,
    events,
    closed,
    obey: (how) => void (manner = how),
    refuse: (why) => void ([manner, refusal] = ['no', why]),
    answer: (next) => void (outcome = next),
    status: async (ready) => (await ask({ type: 'status', id: nextId++, ready })).code,
    upgraded: async (failure) => (await ask({ type: 'upgrade', id: nextId++, failure })).code,
    async close() {
      socket.close()
      await closed
    },
  }
}

function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error('the server takes no client connection')))
  })
}
