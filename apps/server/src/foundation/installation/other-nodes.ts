import os from 'node:os'
import type { Log } from '../../kernel/context.ts'
import type { Bus } from '../../kernel/events/index.ts'

declare module '../../kernel/events/bus.ts' {
  interface Signals {
    /** A server began to use the database, or answers one that did. */
    readonly 'node.present': { readonly host: string; readonly pid: number; readonly isAnswer: boolean }
  }
}

/**
 * Warns at both ends when a second server uses the database and no Redis is configured. That is safe, since signals, locks and
 * counters then go through the database, but slower, and it is seldom what was meant.
 * @param bus started already
 */
export function warnOfOtherNodes({ bus, log }: { readonly bus: Bus; readonly log: Pick<Log, 'warn'> }): void {
  const own = { host: os.hostname(), pid: process.pid }
  bus.subscribe('node.present', (other, origin) => {
    if (origin !== 'elsewhere') return
    log.warn(
      { host: other.host, process: other.pid },
      'another server uses this database, and neither Redis nor Valkey is configured: signals, locks and counters go through ' +
        'the database. Set GODWIT_REDIS_URL, the same for all servers, or stop the other one if it was not meant to run',
    )
    if (!other.isAnswer) bus.publish('node.present', { ...own, isAnswer: true })
  })
  bus.publish('node.present', { ...own, isAnswer: false })
}
