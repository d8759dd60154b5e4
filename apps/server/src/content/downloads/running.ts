import type { Actor, Log } from '../../kernel/context.ts'
import type { Bus } from '../../kernel/events/index.ts'

/** Downloads under way: they keep their session alive and end with it. */
export interface Running {
  begin(actor: Actor, signal: AbortSignal): { readonly signal: AbortSignal; end(): void }
}

export interface RunningDeps {
  readonly bus: Bus
  readonly log: Log
  readonly keepAlive: (sessionId: string) => Promise<void>
  /** The actor with the rights of now; undefined when there are none left. */
  readonly renew: (actor: Actor) => Promise<Actor | undefined>
}

const ALIVE_EVERY_MS = 60_000
/** Another process may take the right away (`godwit user lock`): running downloads stop within 5 s. */
const RECHECK_MS = 3_000

export function createRunning({ bus, log, keepAlive, renew }: RunningDeps): Running {
  const running = new Set<{ readonly actor: Actor; readonly stop: AbortController }>()
  bus.subscribe('session.ended', ({ sessionId }) => stop((actor) => actor.sessionId === sessionId))
  bus.subscribe('user.revoked', ({ userId }) => stop((actor) => actor.userId === userId))

  function stop(isMeant: (actor: Actor) => boolean): void {
    for (const download of [...running]) {
      if (isMeant(download.actor)) download.stop.abort(new Error('the right to download ended'))
    }
  }

  async function recheck(): Promise<void> {
    for (const { actor } of [...running]) {
      if (actor.sessionId !== '' && (await renew(actor)) === undefined) {
        stop((other) => other.sessionId === actor.sessionId)
      }
    }
  }

  const timer = setInterval(() => {
    recheck().catch((thrown: unknown) => log.warn({ err: thrown }, 'checking running downloads failed'))
  }, RECHECK_MS)
  timer.unref()

  return {
    begin(actor, signal) {
      const download = { actor, stop: new AbortController() }
      running.add(download)
      const end = (): void => {
        clearInterval(alive)
        running.delete(download)
        signal.removeEventListener('abort', end)
      }
      const alive = setInterval(() => {
        if (actor.sessionId === '') return
        keepAlive(actor.sessionId).catch((thrown: unknown) =>
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
