import type { SocketAnswer, SocketEvent } from '@godwit/contract'
import { SOCKET_SESSION_ENDED, type SOCKET_TOPICS } from '@godwit/contract/content/file-socket-events'
import type { SessionStore } from './session.ts'
import { createSocketCalls } from './socket-calls.ts'
import { createSocketLine } from './socket-line.ts'
import type { Store } from './store.ts'

export type Topic = (typeof SOCKET_TOPICS)[number]

export interface Following {
  /** False while nothing would be reported. */
  readonly online: Store<boolean>
  stop(): void
}

/** Reports what happens to a topic over a connection of its own, until it is stopped. */
export function followTopic(session: SessionStore, topic: Topic, onChange: () => void): Following {
  /** The token of the last login; a refresh makes it worthless, so another connection follows. */
  let shownToken: string | undefined
  const isRenewed = (): boolean => session.get() !== undefined && session.get()?.token !== shownToken
  const line = createSocketLine({
    onOpen: () => void begin().catch(() => line.drop()),
    onText(text) {
      const frame = JSON.parse(text) as SocketAnswer | SocketEvent
      if (frame.type !== 'event') calls.settle(frame)
      else if (frame.event === `${topic}.changed`) onChange()
    },
    onDown: () => calls.failAll(),
    ping: () => void calls.ask({ type: 'ping' }).catch(() => undefined),
    mayReconnect: (code) => Promise.resolve(code !== SOCKET_SESSION_ENDED || isRenewed()),
  })
  const calls = createSocketCalls(line.send)
  const begin = async (): Promise<void> => {
    const token = session.get()?.token
    if (token === undefined) return line.drop()
    shownToken = token
    await calls.ask({ type: 'login', token, spaceId: 1 })
    await calls.ask({ type: 'follow', topic })
    line.confirm()
    // What happened while the connection was down was not reported.
    onChange()
  }
  const stopFollowing = session.subscribe(() => {
    if (line.online.get() && isRenewed()) line.drop()
  })
  line.connect()
  return {
    online: line.online,
    stop() {
      stopFollowing()
      line.close()
    },
  }
}
