import type { Clock } from '@godwit/base'
import type { Sessions } from '../../identity/auth/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import type { Log } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Principal } from '../../kernel/principal.ts'
import { nameOf, newWithin, placeFor, type PlaceIds } from '../access/index.ts'
import type { FilesDeps } from '../files/index.ts'
import { requireMember } from '../spaces/index.ts'

/** Where the bytes of a request go. */
export interface Destination {
  readonly principal: Principal
  readonly place: PlaceIds
  /** A folder that takes files of any name, or a file in it. */
  readonly target: { readonly folder: string } | { readonly path: string }
}

interface Running extends Destination {
  readonly since: number
  readonly stop: (reason: AppError) => void
}

/** Two looks within the 5 s after which a right that was taken away must have ended what runs by it. */
export const RECHECK_MS = 2_500
/** A part of usual size on a usual line is through by then, and costs no look. */
const YOUNG_MS = 2_000

interface Deps {
  readonly files: Pick<FilesDeps, 'access'>
  readonly log: Pick<Log, 'warn'>
  readonly sessions: Pick<Sessions, 'renew'>
}

/** The request bodies under way: a right that is taken away, by whichever process, ends those that came by it. */
export class RunningBodies {
  readonly #clock: Clock
  readonly #running = new Set<Running>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @returns what forgets it */
  begin(destination: Destination, stop: (reason: AppError) => void): () => void {
    const one: Running = { ...destination, since: this.#clock.monotonic(), stop }
    this.#running.add(one)
    return () => void this.#running.delete(one)
  }

  async recheck(deps: Deps): Promise<void> {
    const now = this.#clock.monotonic()
    for (const one of [...this.#running].filter(({ since }) => now - since >= YOUNG_MS)) {
      try {
        await requireStill(deps, one)
      } catch (thrown) {
        if (thrown instanceof AppError && thrown.status < 500) {
          this.#running.delete(one)
          one.stop(thrown)
        } else {
          // A database that is away takes no right away.
          deps.log.warn({ err: thrown }, 'the right of a running upload was not looked at')
        }
      }
    }
  }
}

/** @throws AppError TOKEN_INVALID, PERMISSION_DENIED, PATH_NOT_FOUND, FILE_TYPE_NOT_ALLOWED */
async function requireStill(deps: Deps, { principal: before, place, target }: Destination): Promise<void> {
  const principal = await renewed(deps, before)
  if (principal === undefined) throw new AppError('TOKEN_INVALID')
  if (principal.kind !== 'guest') requireMember(accountOf(principal), place.spaceId)
  const folder = 'folder' in target ? target.folder : target.path.slice(0, target.path.lastIndexOf('/')) || '/'
  const opened = await deps.files.access.open({ principal }, placeFor(principal, place), folder, 'uploadFile')
  if ('path' in target) newWithin(opened, { name: nameOf(target), kind: 'file' })
}

/** The rights of now. What the session of a person began may go on without it, by a grant. */
async function renewed({ sessions }: Deps, before: Principal): Promise<Principal | undefined> {
  if (before.kind === 'guest' || before.kind === 'reviewer') return before
  if (before.kind === 'user' || before.kind === 'client') return sessions.renew({ ...before, sessionId: '' })
  return sessions.renew(before)
}
