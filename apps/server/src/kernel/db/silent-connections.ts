import type { Socket } from 'node:net'
import type { ConnectionOptions, Pool, PoolConnection } from 'mysql2'

export interface SilenceLimits {
  /** A connection in use that received nothing for so long is doubted. */
  readonly silentMs: number
  /** Longest wait for a new connection. */
  readonly connectMs: number
}

interface SilenceWatch {
  /** Connections that somebody uses. */
  readonly inUse: ReadonlyMap<object, unknown>
  end(): void
}

interface Listening {
  readonly socket: Socket
  bytes: number
  /** Monotonic. */
  since: number
}

/**
 * Ends connections to a host that vanished, as in a power cut or behind a firewall that forgot them: the system sends what nobody
 * confirms again for a quarter of an hour, and keep-alive waits until it was confirmed. A statement may also be slow, so the server
 * is asked for another connection first, and only where it gives none the silent ones end.
 */
export function watchSilence(pool: Pool, options: ConnectionOptions, limits: SilenceLimits): SilenceWatch {
  const inUse = new Map<PoolConnection, Listening>()
  let isAsking = false
  // One that ends while it is in use is not released.
  pool.on('connection', (connection) => socketOf(connection).once('close', () => inUse.delete(connection)))
  pool.on('acquire', (connection) => {
    const socket = socketOf(connection)
    inUse.set(connection, { socket, bytes: socket.bytesRead, since: performance.now() })
  })
  pool.on('release', (connection) => inUse.delete(connection))
  const look = async (): Promise<void> => {
    const silent = [...inUse.values()].filter((one) => isSilent(one, limits.silentMs))
    if (silent.length === 0 || isAsking) return
    isAsking = true
    try {
      const fault = await faultOf(options, limits.connectMs)
      for (const one of silent) {
        if (fault === undefined) one.since = performance.now()
        else if (one.bytes === one.socket.bytesRead) one.socket.destroy(fault)
      }
    } finally {
      isAsking = false
    }
  }
  const timer = setInterval(() => void look(), limits.silentMs / 3).unref()
  return { inUse, end: () => clearInterval(timer) }
}

function socketOf(connection: PoolConnection): Socket {
  return (connection as unknown as { readonly stream: Socket }).stream
}

function isSilent(one: Listening, silentMs: number): boolean {
  const bytes = one.socket.bytesRead
  if (bytes === one.bytes) return performance.now() - one.since >= silentMs
  one.bytes = bytes
  one.since = performance.now()
  return false
}

/** @returns why the server cannot be reached; undefined when it answers, and be it with a refusal */
async function faultOf(options: ConnectionOptions, connectTimeout: number): Promise<Error | undefined> {
  const { createConnection } = await import('mysql2')
  const connection = createConnection({ ...options, connectTimeout })
  const { promise, resolve } = Promise.withResolvers<Error | undefined>()
  connection.once('connect', () => resolve(undefined))
  connection.on('error', (error: Error & { readonly code?: string }) => {
    resolve(error.code?.startsWith('ER_') === true ? undefined : error)
  })
  try {
    return await promise
  } finally {
    connection.destroy()
  }
}
