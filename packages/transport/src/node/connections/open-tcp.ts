import { connect as tcpConnect, type Socket } from 'node:net'
import type { Endpoint } from '../ports/port.types.ts'
import { HANDSHAKE_MS } from './set-up.ts'

/** A system sends a lost SYN again after a whole second. A second attempt beside the first is as early as that of browsers. */
const SECOND_ATTEMPT_MS = 250

/**
 * Connects to a port: with two attempts where the first one is not answered soon.
 * @throws Error of node:net; the reason of the signal
 */
export async function openTcp(
  address: Endpoint,
  signal?: AbortSignal,
  dial: (address: Endpoint) => Socket = tcpConnect,
): Promise<Socket> {
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const attempts: Socket[] = []
  const attempt = (): void => {
    const socket = dial(address)
    attempts.push(socket)
    // What refuses one attempt refuses the other as well.
    socket.once('error', reject).once('connect', () => resolve(socket))
  }
  const stop = (): void => reject(signal?.reason)
  const second = setTimeout(attempt, SECOND_ATTEMPT_MS)
  const end = setTimeout(() => reject(new Error('the server did not answer in time')), HANDSHAKE_MS)
  signal?.addEventListener('abort', stop)
  let winner: Socket | undefined
  try {
    attempt()
    winner = await promise
    return winner.off('error', reject)
  } finally {
    clearTimeout(second)
    clearTimeout(end)
    signal?.removeEventListener('abort', stop)
    for (const socket of attempts) if (socket !== winner) socket.destroy()
  }
}
