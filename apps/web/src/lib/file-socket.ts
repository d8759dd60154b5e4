import type { FileOperationName, OperationInput, OperationReply, SocketAnswer, SocketEvent } from '@godwit/contract'
import { SOCKET_SESSION_ENDED } from '@godwit/contract/content/file-socket-events'
import { createFolderWatches, type Place } from './folder-watches.ts'
import type { SessionStore } from './session.ts'
import { createSocketCalls } from './socket-calls.ts'
import { createSocketLine } from './socket-line.ts'
import type { Store } from './store.ts'
import { takeTurns } from './take-turns.ts'

export type { Place } from './folder-watches.ts'

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

/**
 * The file socket of one signed-in page. It signs in on every new connection and then watches its folders again; whenever the
 * session is renewed, it shows the new token.
 * @param spaceId asked with each login: the space may be another by then
 */
export function openFileSocket(session: SessionStore, spaceId: () => number): FileSocket {
  const listeners = new Set<(event: SocketEvent) => void>()
  /** The token of the last login that the server took; a refresh makes it worthless, so the socket then shows the new one. */
  let provenToken: string | undefined

  const line = createSocketLine({
    onOpen: () => void signIn().catch(() => line.drop()),
    onText(text) {
      const frame = JSON.parse(text) as SocketAnswer | SocketEvent
      if (frame.type === 'event') void onEvent(frame)
      else calls.settle(frame)
    },
    onDown: () => calls.failAll(),
    ping: () => void calls.ask({ type: 'ping' }).catch(() => undefined),
    mayReconnect: async (code) => code !== SOCKET_SESSION_ENDED || !(await hasSessionEnded()),
  })
  const { online } = line
  const calls = createSocketCalls(line.send)
  const watches = createFolderWatches(calls, online)

  const logIn = async (): Promise<void> => {
    const token = session.get()?.token
    if (token === undefined) throw new Error('signed out')
    await calls.ask({ type: 'login', token, spaceId: spaceId() })
    provenToken = token
  }
  const signIn = async (): Promise<void> => {
    await logIn()
    // Renewed before the answer came.
    if (isRenewed()) await logIn()
    watches.resume()
    line.confirm()
    // Changes made while the socket was down were not reported.
    watches.allMayHaveChanged()
  }
  const isRenewed = (): boolean => session.get() !== undefined && session.get()?.token !== provenToken
  /** Not where only a spent token ended: its renewal may be under way, and the page not yet know the new one. */
  const hasSessionEnded = async (): Promise<boolean> => takeTurns(() => Promise.resolve(!isRenewed()))
  const onEvent = async (event: SocketEvent): Promise<void> => {
    if (event.event === 'session.ended' && !(await hasSessionEnded())) return
    for (const listener of [...listeners]) listener(event)
    if (event.event === 'folder.changed') watches.changed(event)
  }
  const stopFollowing = session.subscribe(() => {
    if (online.get() && isRenewed()) logIn().catch(() => line.drop())
  })
  line.connect()

  return {
    online,
    async call(operation, input, signal) {
      const answer = calls.ask({ type: 'call', operation, input })
      signal?.throwIfAborted()
      return (await (signal === undefined ? answer : Promise.race([answer, rejectOnAbort(signal)]))) as never
    },
    watch: watches.add,
    on(name, listener) {
      const each = (event: SocketEvent): void => {
        if (event.event === name) listener(event as Parameters<typeof listener>[0])
      }
      listeners.add(each)
      return () => listeners.delete(each)
    },
    close() {
      stopFollowing()
      line.close()
    },
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}
