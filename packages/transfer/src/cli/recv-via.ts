import { setTimeout as sleep } from 'node:timers/promises'
import { acceptThrough, type Connection, type Decision, type Endpoint } from '@godwit/transport/node'
import { SERVER_TLS } from '../codes/code-proof.ts'
import { openRoom, type MeetOptions, RendezvousError } from '../rendezvous/rendezvous.ts'
import type { Output } from './output.ts'
import type { LinkSettings } from './settings.ts'
import { refusalOfServer } from './via.ts'

/** Waits between attempts to reach the server, milliseconds; the last one repeats. */
const RETRY_MS = [500, 1000, 2000, 4000, 6000]

export interface ViaReception {
  readonly meeting: MeetOptions
  readonly token: string | undefined
  /** The number that a code of one's own begins with. */
  readonly room: string | undefined
  readonly link: LinkSettings
  readonly output: Output
  authorize(share: Uint8Array, peer: Endpoint, channel: Uint8Array): Decision
  /** Settles when the transfer has ended. */
  take(connection: Connection): Promise<void>
  /** The room is open, for the first time. */
  opened(room: string): void
}

/** Waits in a room of the server, for one sender after another. Returns when it is stopped. @throws TransferError */
export async function receiveVia(via: ViaReception): Promise<void> {
  const { meeting, output } = via
  let again: Partial<Record<'room' | 'key', string>> = via.room === undefined ? {} : { room: via.room }
  let failures = 0
  while (!meeting.signal.aborted) {
    try {
      const { room, key, joined } = await openRoom({ ...meeting, token: via.token, again })
      if (again.key === undefined) via.opened(room)
      again = { room, key }
      failures = 0
      const relay = await joined
      await serve(relay, via)
    } catch (error) {
      if (meeting.signal.aborted) return
      if (error instanceof RendezvousError) throw refusalOfServer(error)
      // What cannot be reached at the start may be a mistake in the address.
      if (again.key === undefined) throw error
      const reason = error instanceof Error ? error.message : 'unknown'
      output.emit('retry', { reason }, `no connection to the server (${reason}), trying again`)
      const wait = RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]
      await sleep(wait, undefined, { signal: meeting.signal }).catch(() => undefined)
    }
  }
}

async function serve(relay: Parameters<typeof acceptThrough>[0], via: ViaReception): Promise<void> {
  const { udp, packetSize } = via.link
  let served: Promise<void> | undefined
  await acceptThrough(relay, {
    tls: SERVER_TLS,
    ...{ udp, packetSize },
    authorize: via.authorize,
    onConnection(connection) {
      served = via.take(connection)
    },
  })
  await served
}
