import type { Log } from '../../kernel/context.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import type { Bus } from '../../kernel/events/index.ts'
import { sessionIdOf } from '../../identity/principals/index.ts'
import type { Wanted } from './downloads.service.ts'

/** Who downloads what. */
type Asked = Pick<Wanted, 'principal' | 'place' | 'paths'>

interface Download extends Asked {
  readonly stop: AbortController
}

/** Downloads under way: they keep their session alive and end with it. */
export interface Running {
  begin(asked: Asked, signal: AbortSignal): { readonly signal: AbortSignal; end(): void }
  /** Stops those whose right was taken away, by whichever process. */
  recheck(): Promise<void>
}

export interface RunningDeps {
  readonly bus: Bus
  readonly log: Log
  readonly keepAlive: (sessionId: string) => Promise<void>
  /** The principal with the rights of now; undefined when there are none left. */
  readonly renew: (principal: AccountPrincipal) => Promise<AccountPrincipal | undefined>
  /** Whether the principal may still download this. */
  readonly mayDownload: (asked: Asked) => Promise<boolean>
}

const ALIVE_EVERY_MS = 60_000
/** A right may be taken away without a word, as by another process (`godwit user lock`): running downloads stop within 5 s. */
export const RECHECK_MS = 3_000

export function createRunning({ bus, log, keepAlive, renew, mayDownload }: RunningDeps): Running {
  const running = new Set<Download>()
  bus.subscribe('session.ended', ({ sessionId }) => stop((principal) => sessionIdOf(principal) === sessionId))
  bus.subscribe('user.revoked', ({ userId }) => stop((principal) => principal.id === userId))

  function stop(isMeant: (principal: AccountPrincipal) => boolean): void {
    for (const download of [...running]) {
      if (isMeant(download.principal)) end(download)
    }
  }

  function end(download: Download): void {
    download.stop.abort(new Error('the right to download ended'))
  }

  async function recheck(): Promise<void> {
    for (const download of [...running]) {
      const mayGoOn = await check(download).catch((thrown: unknown) => {
        // A database that is away takes no right away.
        log.warn({ err: thrown }, 'checking a download failed')
        return true
      })
      if (!mayGoOn) end(download)
    }
  }

  async function check({ principal: before, place, paths }: Download): Promise<boolean> {
    const principal = await renew(before)
    return principal !== undefined && mayDownload({ principal, place, paths })
  }

  return {
    recheck,
    begin({ principal, place, paths }, signal) {
      const download = { principal, place, paths, stop: new AbortController() }
      running.add(download)
      const forget = (): void => {
        clearInterval(alive)
        running.delete(download)
        signal.removeEventListener('abort', forget)
      }
      const alive = setInterval(() => {
        if (sessionIdOf(principal) === '') return
        keepAlive(sessionIdOf(principal)).catch((thrown: unknown) =>
          log.warn({ err: thrown }, 'keeping a session alive failed'),
        )
      }, ALIVE_EVERY_MS)
      alive.unref()
      // A reader that went away keeps no session alive, even while its last piece is still being read from a slow disk.
      signal.addEventListener('abort', forget, { once: true })
      return { signal: AbortSignal.any([signal, download.stop.signal]), end: forget }
    },
  }
}
