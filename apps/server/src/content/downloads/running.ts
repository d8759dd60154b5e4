import type { Log } from '../../kernel/context.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import type { Bus } from '../../kernel/events/index.ts'
import { sessionIdOf } from '../../identity/principals/index.ts'

/** Downloads under way: they keep their session alive and end with it. */
export interface Running {
  begin(principal: AccountPrincipal, signal: AbortSignal): { readonly signal: AbortSignal; end(): void }
  /** Stops those whose right was taken away by another process. */
  recheck(): Promise<void>
}

export interface RunningDeps {
  readonly bus: Bus
  readonly log: Log
  readonly keepAlive: (sessionId: string) => Promise<void>
  /** The principal with the rights of now; undefined when there are none left. */
  readonly renew: (principal: AccountPrincipal) => Promise<AccountPrincipal | undefined>
}

const ALIVE_EVERY_MS = 60_000
/** Another process may take the right away (`godwit user lock`): running downloads stop within 5 s. */
export const RECHECK_MS = 3_000

export function createRunning({ bus, log, keepAlive, renew }: RunningDeps): Running {
  const running = new Set<{ readonly principal: AccountPrincipal; readonly stop: AbortController }>()
  bus.subscribe('session.ended', ({ sessionId }) => stop((principal) => sessionIdOf(principal) === sessionId))
  bus.subscribe('user.revoked', ({ userId }) => stop((principal) => principal.id === userId))

  function stop(isMeant: (principal: AccountPrincipal) => boolean): void {
    for (const download of [...running]) {
      if (isMeant(download.principal)) download.stop.abort(new Error('the right to download ended'))
    }
  }

  async function recheck(): Promise<void> {
    for (const { principal } of [...running]) {
      if (sessionIdOf(principal) !== '' && (await renew(principal)) === undefined) {
        stop((other) => sessionIdOf(other) === sessionIdOf(principal))
      }
    }
  }

  return {
    recheck,
    begin(principal, signal) {
      const download = { principal, stop: new AbortController() }
      running.add(download)
      const end = (): void => {
        clearInterval(alive)
        running.delete(download)
        signal.removeEventListener('abort', end)
      }
      const alive = setInterval(() => {
        if (sessionIdOf(principal) === '') return
        keepAlive(sessionIdOf(principal)).catch((thrown: unknown) =>
          log.warn({ err: thrown }, 'keeping a session alive failed'),
        )
      }, ALIVE_EVERY_MS)
      alive.unref()
      // A reader that went away keeps no session alive, even while its last piece is still being read from a slow disk.
      signal.addEventListener('abort', end, { once: true })
      return { signal: AbortSignal.any([signal, download.stop.signal]), end }
    },
  }
}
