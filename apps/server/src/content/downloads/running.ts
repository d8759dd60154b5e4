import type { Log } from '../../kernel/context.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import type { Bus } from '../../kernel/events/index.ts'
import { sessionIdOf } from '../../identity/principals/index.ts'
import type { Location } from '../access/index.ts'
import type { Wanted } from './downloads.service.ts'
import { shownIn, type StillShown } from './still-shown.ts'

/** Who downloads what. */
type Asked = Pick<Wanted, 'principal' | 'place' | 'paths'>

interface Download extends Asked {
  readonly stop: AbortController
  /** By the rights of the last look; what it began with was found with the rights of then. */
  isShown: StillShown
  /** The file of a zip that is being sent. */
  current: Pick<Location, 'path'> | undefined
}

/** Downloads under way: they keep their session alive and end with it. */
export interface Running {
  begin(
    asked: Asked,
    signal: AbortSignal,
  ): { readonly signal: AbortSignal; readonly isStillShown: StillShown; end(): void }
  /** Stops those whose right was taken away, by whichever process. */
  recheck(): Promise<void>
}

export interface RunningDeps {
  readonly bus: Bus
  readonly log: Log
  readonly keepAlive: (sessionId: string) => Promise<void>
  /** The principal with the rights of now; undefined when there are none left. */
  readonly renew: (principal: AccountPrincipal) => Promise<AccountPrincipal | undefined>
  /** The paths with the rights of now; undefined when one of them may be downloaded no longer. */
  readonly openNow: (asked: Asked) => Promise<readonly Location[] | undefined>
}

const ALIVE_EVERY_MS = 60_000
/** A right may be taken away without a word, as by another process (`godwit user lock`): running downloads stop within 5 s. */
export const RECHECK_MS = 3_000

export function createRunning(deps: RunningDeps): Running {
  const { bus, log, renew, openNow } = deps
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

  async function check(download: Download): Promise<boolean> {
    const { principal: before, place, paths } = download
    const principal = await renew(before)
    const opened = principal && (await openNow({ principal, place, paths }))
    if (opened === undefined) return false
    download.isShown = shownIn(opened)
    return download.current === undefined || download.isShown(download.current, false)
  }

  return {
    recheck,
    begin({ principal, place, paths }, signal) {
      const download = newDownload({ principal, place, paths })
      running.add(download)
      const forget = (): void => {
        clearInterval(alive)
        running.delete(download)
        signal.removeEventListener('abort', forget)
      }
      const alive = keepingAlive(deps, sessionIdOf(principal))
      // A reader that went away keeps no session alive, even while its last piece is still being read from a slow disk.
      signal.addEventListener('abort', forget, { once: true })
      return {
        signal: AbortSignal.any([signal, download.stop.signal]),
        isStillShown: (location, isFolder) => isStillShown(download, location, isFolder),
        end: forget,
      }
    },
  }
}

/** @returns what ends it */
function keepingAlive({ keepAlive, log }: RunningDeps, sessionId: string): NodeJS.Timeout {
  const alive = setInterval(() => {
    if (sessionId === '') return
    keepAlive(sessionId).catch((thrown: unknown) => log.warn({ err: thrown }, 'keeping a session alive failed'))
  }, ALIVE_EVERY_MS)
  return alive.unref()
}

function newDownload(asked: Asked): Download {
  return { ...asked, stop: new AbortController(), isShown: () => true, current: undefined }
}

/** Notes what is sent next, for the next look. */
function isStillShown(download: Download, location: Pick<Location, 'path'>, isFolder: boolean): boolean {
  download.current = isFolder ? undefined : location
  return download.isShown(location, isFolder)
}
