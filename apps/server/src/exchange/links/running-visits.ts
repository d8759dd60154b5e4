import { AppError } from '../../kernel/errors.ts'
import type { GuestPrincipal } from '../../kernel/principal.ts'
import { sharedIn, wayInto } from './link-paths.ts'
import type { LinksDeps } from './links.deps.ts'
import { linksStore } from './links.store.ts'
import { visitsStore } from './visits.store.ts'

/** Downloads of guests that run in this process. They end with the link, with the right of its owner, and with the visit. */
export interface RunningVisits {
  /** The signal ends with the caller's too. `end` is to be called once. */
  begin(guest: GuestPrincipal, signal: AbortSignal): { readonly signal: AbortSignal; end(): void }
  /** Stops those whose link lets them in no more, by whichever process. */
  recheck(): Promise<void>
  stop(): void
}

interface Running {
  readonly guest: GuestPrincipal
  readonly stop: AbortController
}

/** Twice in the 5 s within which a right that was taken away must end what runs. */
export const RECHECK_MS = 2_000

export function createRunningVisits(deps: LinksDeps): RunningVisits {
  const running = new Set<Running>()

  async function recheckThose(isMeant: (guest: GuestPrincipal) => boolean): Promise<void> {
    const meant = [...running].filter(({ guest }) => isMeant(guest))
    for (const [, ofVisit] of Map.groupBy(meant, ({ guest }) => `${guest.id} ${guest.visitId}`)) {
      const [first] = ofVisit
      if (first === undefined || (await mayGoOn(deps, first.guest))) continue
      for (const { stop } of ofVisit) stop.abort(new AppError('LINK_EXPIRED'))
    }
  }

  const unsubscribe = deps.bus.subscribe('link.changed', ({ linkId }) => {
    recheckThose(({ id }) => id === linkId).catch((thrown: unknown) =>
      deps.log.error({ err: thrown, linkId }, 'downloads of a link were not looked at'),
    )
  })

  return {
    begin(guest, signal) {
      const one: Running = { guest, stop: new AbortController() }
      running.add(one)
      return {
        signal: AbortSignal.any([signal, one.stop.signal]),
        end: () => void running.delete(one),
      }
    },
    recheck: () => recheckThose(() => true),
    stop: unsubscribe,
  }
}

async function mayGoOn(deps: LinksDeps, guest: GuestPrincipal): Promise<boolean> {
  try {
    const row = await linksStore.byId(deps.db, guest.id)
    if (row === undefined || !(await isVisiting(deps, guest))) return false
    // What is read was opened as what was shared. Its name may change meanwhile.
    const way = wayInto(sharedIn(row))
    if (way === undefined) return false
    const need = row.url_type === 0 ? 'uploadFile' : 'view'
    await deps.files.access.open({ principal: guest }, { kind: 'link', linkId: row.id }, way, need)
    return true
  } catch (thrown) {
    // A database that is away takes no right away.
    return !(thrown instanceof AppError) || thrown.status >= 500
  }
}

/** Whether the visit lasts. Whoever came without one, such as curl, has only the link. */
export async function isVisiting({ db, clock }: LinksDeps, { visitId }: GuestPrincipal): Promise<boolean> {
  if (visitId === '') return true
  const visit = await visitsStore.byId(db, visitId)
  return visit !== undefined && Number(visit.expires_at) > clock.now()
}
