import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'
import type { FileSocket, SocketEventName, SocketEventOf } from './file-socket.ts'

interface Pushed<Name extends SocketEventName> {
  readonly event: Name
  readonly queryKey: QueryKey
  /** What the query shows after the event. */
  readonly take: (event: SocketEventOf<Name>) => unknown
}

/** Queries that follow what is pushed, by their hash, with how many parts of the page want that. */
const followed = new WeakMap<Socket, Map<string, { wanted: number; readonly stop: () => void }>>()

type Socket = Pick<FileSocket, 'on' | 'online'>

/**
 * Keeps a query at what the server pushes, until the returned function is called; however many parts of a page ask for that, it
 * follows once. An answer that was on its way when the event came is older than the event; what changed before the socket was up
 * was not pushed, and is asked for.
 */
export function followPushed<Name extends SocketEventName>(
  client: QueryClient,
  socket: Socket,
  pushed: Pushed<Name>,
): () => void {
  const ofSocket = followed.get(socket) ?? new Map<string, { wanted: number; readonly stop: () => void }>()
  followed.set(socket, ofSocket)
  const hash = hashKey(pushed.queryKey)
  const following = ofSocket.get(hash) ?? { wanted: 0, stop: follow(client, socket, pushed) }
  ofSocket.set(hash, following)
  following.wanted++
  let isWanted = true
  return () => {
    if (!isWanted) return
    isWanted = false
    if (--following.wanted > 0) return
    ofSocket.delete(hash)
    following.stop()
  }
}

function follow<Name extends SocketEventName>(
  client: QueryClient,
  socket: Socket,
  { event, queryKey, take }: Pushed<Name>,
): () => void {
  const instead = (use: () => unknown) => void client.cancelQueries({ queryKey }).then(use)
  const stopEvents = socket.on(event, (pushed) => instead(() => client.setQueryData(queryKey, take(pushed))))
  const stopOnline = socket.online.subscribe(() => {
    if (socket.online.get()) instead(() => client.invalidateQueries({ queryKey }))
  })
  return () => {
    stopEvents()
    stopOnline()
  }
}
