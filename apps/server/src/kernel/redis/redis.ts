import type { Redis } from 'ioredis'
import { AppError } from '../errors.ts'

/** The messages of a channel, in order. */
export interface Subscription {
  /** Resolves when all messages have been received that were published before. @throws AppError DATABASE_UNAVAILABLE */
  catchUp(): Promise<void>
}

/** What this program asks of a Redis or Valkey, with every name below the installation's own prefix. */
export interface RedisClient {
  /** Runs a script atomically. @throws AppError DATABASE_UNAVAILABLE */
  run(script: string, keys: readonly string[], args: ReadonlyArray<string | number>): Promise<unknown>
  /** @throws AppError DATABASE_UNAVAILABLE */
  publish(channel: string, text: string): Promise<void>
  /**
   * @param onText receives every message of the channel until the client closes
   * @param onGap called after messages may have been lost
   */
  subscribe(channel: string, onText: (text: string) => void, onGap: () => void): Promise<Subscription>
  close(): Promise<void>
}

const RECONNECT_MAX_MS = 2_000
const COMMAND_MS = 5_000

/**
 * Commands fail fast while Redis is away; connections come back by themselves.
 * @param url `redis://user:password@host:port/db`, or `rediss://` for TLS
 * @param prefix tells installations on one Redis apart
 * @throws AppError DATABASE_UNAVAILABLE when nothing answers there
 */
export async function connectRedis(url: string, prefix: string): Promise<RedisClient> {
  // Few installations have a Redis; the others need not load its client.
  const { Redis } = await import('ioredis')
  const open = (): Redis => quiet(new Redis(url, options(prefix)))
  const commands = open()
  const listeners: Redis[] = []
  try {
    await commands.connect()
  } catch (thrown) {
    commands.disconnect()
    throw unavailable(thrown)
  }
  return {
    run: (script, keys, args) => withCode(() => commands.eval(script, keys.length, ...keys, ...args)),
    publish: async (channel, text) => void (await withCode(() => commands.publish(prefix + channel, text))),
    async subscribe(channel, onText, onGap) {
      const listener = open()
      listeners.push(listener)
      listener.on('message', (_channel, text) => onText(text))
      await withCode(async () => listener.connect())
      await withCode(async () => listener.subscribe(prefix + channel))
      // From the second time on: the channel is subscribed anew before this.
      listener.on('ready', onGap)
      // Answers and messages come in one order on one connection.
      return { catchUp: async () => void (await withCode(async () => listener.ping())) }
    },
    async close() {
      for (const connection of [commands, ...listeners]) connection.disconnect()
      return Promise.resolve()
    },
  }
}

function options(keyPrefix: string) {
  return {
    keyPrefix,
    lazyConnect: true,
    maxRetriesPerRequest: 1,
    connectTimeout: COMMAND_MS,
    commandTimeout: COMMAND_MS,
    retryStrategy: (attempt: number) => Math.min(100 * attempt, RECONNECT_MAX_MS),
  }
}

/** Without a listener every failed reconnection would be printed; whoever sends a command gets the failure. */
function quiet(connection: Redis): Redis {
  return connection.on('error', () => undefined)
}

async function withCode<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    throw unavailable(thrown)
  }
}

function unavailable(cause: unknown): AppError {
  return new AppError('DATABASE_UNAVAILABLE', undefined, { cause })
}
