import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../kernel/context.ts'
import type { DialectName } from '../../kernel/db/index.ts'
import type { Bus } from '../../kernel/events/index.ts'

declare module '../../kernel/events/bus.ts' {
  interface Signals {
    /** A server asks which others use the database, or answers one that did. */
    readonly 'node.present': { readonly host: string; readonly pid: number; readonly isAnswer: boolean }
  }
}

const OWN = { host: os.hostname(), pid: process.pid }
/** In which every server that runs has answered; a signal through the database takes a quarter of a second. */
const ANSWER_MS = 3_000

/**
 * Answers other servers that use the database, and warns at both ends when no Redis is configured. That is safe, since signals, locks and
 * counters then go through the database, but slower, and it is seldom what was meant.
 * @param bus started already
 */
export function answerOtherNodes({
  bus,
  log,
  hasRedis,
}: {
  readonly bus: Bus
  readonly log: Pick<Log, 'warn'>
  readonly hasRedis: boolean
}): void {
  bus.subscribe('node.present', (other, origin) => {
    if (origin !== 'elsewhere') return
    if (!hasRedis)
      log.warn(
        { host: other.host, process: other.pid },
        'another server uses this database, and neither Redis nor Valkey is configured: signals, locks and counters go through ' +
          'the database. Set GODWIT_REDIS_URL, the same for all servers, or stop the other one if it was not meant to run',
      )
    if (!other.isAnswer) bus.publish('node.present', { ...OWN, isAnswer: true })
  })
  bus.publish('node.present', { ...OWN, isAnswer: false })
}

/** Whether another server uses the database at this moment. Only one can, where the database is a file. */
export async function otherNodes({
  bus,
  dialect,
}: {
  readonly bus: Bus
  readonly dialect: DialectName
}): Promise<boolean> {
  if (dialect === 'sqlite') return false
  let hasAnswered = false
  const end = bus.subscribe('node.present', ({ isAnswer }, origin) => {
    if (origin === 'elsewhere' && isAnswer) hasAnswered = true
  })
  bus.publish('node.present', { ...OWN, isAnswer: false })
  await sleep(ANSWER_MS)
  end()
  return hasAnswered
}
