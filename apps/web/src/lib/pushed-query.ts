import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { FileSocket, SocketEventName, SocketEventOf } from './file-socket.ts'

interface Pushed<Name extends SocketEventName> {
  readonly event: Name
  readonly queryKey: QueryKey
  /** What the query shows after the event. */
  readonly take: (event: SocketEventOf<Name>) => unknown
}

/**
 * Keeps a query at what the server pushes, until the returned function is called. An answer that was on its way when the event
 * came is older than the event; what changed before the socket was up was not pushed, and is asked for.
 */
export function followPushed<Name extends SocketEventName>(
  client: QueryClient,
  socket: Pick<FileSocket, 'on' | 'online'>,
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
