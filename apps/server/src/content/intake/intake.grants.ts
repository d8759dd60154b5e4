import { loadActor } from '../../identity/auth/index.ts'
import { usersStore } from '../../identity/users/index.ts'
import { requireMember } from '../spaces/index.ts'
import type { Actor, Ctx } from '../../kernel/context.ts'
import { hashToken, newToken } from '../../kernel/crypto/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { LiveUpload } from './live-uploads.ts'
import type { IntakeDeps } from './intake.deps.ts'

const UPLOAD_ID = /^[0-9a-f]{32}$/

/** An upload together with the account that acts on it. */
export interface OpenedUpload {
  readonly live: LiveUpload
  readonly actor: Actor
}

/**
 * The upload of this id, for its owner's session or for its own grant.
 * @throws AppError UPLOAD_NOT_FOUND, also for uploads of others; TOKEN_INVALID without any credential that counts
 */
export async function openedUpload(deps: IntakeDeps, ctx: Ctx, uploadId: string): Promise<OpenedUpload> {
  if (ctx.bearer === undefined) throw new AppError('TOKEN_INVALID')
  const live = UPLOAD_ID.test(uploadId) ? await deps.live.get(uploadId) : undefined
  if (live === undefined) throw new AppError(ctx.actor === undefined ? 'TOKEN_INVALID' : 'UPLOAD_NOT_FOUND')
  if (ctx.actor !== undefined && ctx.actor.userId !== live.row.user_id) throw new AppError('UPLOAD_NOT_FOUND')
  const actor = ctx.actor ?? (await actorOfGrant(deps, live, ctx.bearer))
  // Who left the space meanwhile adds nothing to it any more.
  requireMember(actor, live.row.space_id)
  if (live.state === 'expired' || isPast(deps, live)) throw new AppError('UPLOAD_EXPIRED')
  return { live, actor }
}

/** Past its time although the sweeper has not come yet. */
function isPast(deps: IntakeDeps, live: LiveUpload): boolean {
  return live.state === 'open' && live.row.expires_at < deps.clock.now()
}

async function actorOfGrant(deps: IntakeDeps, live: LiveUpload, bearer: string): Promise<Actor> {
  if (live.row.grant_hash === null || live.row.grant_hash !== hashToken(bearer)) throw new AppError('TOKEN_INVALID')
  const actor = await ownerOf(deps, live)
  if (actor === undefined) throw new AppError('TOKEN_INVALID')
  return actor
}

/** @returns undefined when the owner was removed or locked, or changed the password since */
async function ownerOf(deps: IntakeDeps, live: LiveUpload): Promise<Actor | undefined> {
  const user = await usersStore.byId(deps.db, live.row.user_id)
  if (!user || user.locked === 1 || hashToken(user.password_hash) !== live.row.grant_stamp) return undefined
  return loadActor(deps.db, user, live.row.session_id)
}

export interface NewGrant {
  readonly grant: string
  readonly columns: { readonly grant_hash: string; readonly grant_stamp: string; readonly session_id: string }
}

/** A bearer credential for one upload, bound to the account as it is now. */
export async function newGrant(deps: IntakeDeps, actor: Actor): Promise<NewGrant> {
  const user = await usersStore.byId(deps.db, actor.userId)
  if (!user) throw new AppError('TOKEN_INVALID')
  const grant = newToken(deps.random)
  const columns = {
    grant_hash: hashToken(grant),
    grant_stamp: hashToken(user.password_hash),
    session_id: actor.sessionId,
  }
  return { grant, columns }
}
