import { grantOfToken, principalOfToken } from '../../identity/api-tokens/index.ts'
import {
  accountOf,
  admittedFrom,
  loadAccount,
  loadUser,
  requireAccount,
  sessionIdOf,
} from '../../identity/principals/index.ts'
import { isUsable, usersStore } from '../../identity/users/index.ts'
import { requireMember } from '../spaces/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { AccountPrincipal, GuestPrincipal, Principal } from '../../kernel/principal.ts'
import { hashToken, newToken } from '../../kernel/crypto/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { nameOf, newWithin, placeFor, storedAs, type Location } from '../access/index.ts'
import { storedUpload, type LiveUpload } from './live-uploads.ts'
import { placeIdsOfRow } from './buckets.ts'
import type { IntakeDeps } from './intake.deps.ts'
import type { UploadRow } from './intake.schema.ts'

const UPLOAD_ID = /^[0-9a-f]{32}$/

/** An upload together with the account that acts on it. */
export interface OpenedUpload {
  readonly live: LiveUpload
  readonly principal: AccountPrincipal | GuestPrincipal
}

/**
 * The upload of this id, for its owner's session or for its own grant.
 * @throws AppError UPLOAD_NOT_FOUND, also for uploads of others; TOKEN_INVALID without any credential that counts;
 * PERMISSION_DENIED when the right to upload there was taken away
 */
export async function openedUpload(deps: IntakeDeps, ctx: Ctx, uploadId: string): Promise<OpenedUpload> {
  if (ctx.bearer === undefined) throw new AppError('TOKEN_INVALID')
  const live = UPLOAD_ID.test(uploadId) ? await deps.live.get(uploadId) : undefined
  if (live === undefined) throw new AppError(ctx.principal === undefined ? 'TOKEN_INVALID' : 'UPLOAD_NOT_FOUND')
  if (ctx.principal !== undefined && !isUploadOf(live.row, ctx.principal)) throw new AppError('UPLOAD_NOT_FOUND')
  const principal = await uploaderOf(deps, live, { ...ctx, bearer: ctx.bearer })
  // Who left the space meanwhile adds nothing to it any more.
  if (principal.kind !== 'guest') requireMember(accountOf(principal), live.row.space_id)
  if (deps.leases.isShared) await deps.live.refreshSpans(live)
  if (live.state === 'expired' || isPast(deps, live)) throw new AppError('UPLOAD_EXPIRED')
  live.target = await targetOf(deps, live, principal)
  return { live, principal }
}

/** Whether an upload was begun by this principal; of a guest, in this visit. */
export function isUploadOf(row: UploadRow, principal: Principal): boolean {
  if (principal.kind !== 'guest') return row.link_id === '' && row.user_id === principal.id
  return row.link_id === principal.id && row.visit_id === principal.visitId
}

function uploaderOf(
  deps: IntakeDeps,
  live: LiveUpload,
  ctx: Pick<Ctx, 'principal' | 'address'> & { readonly bearer: string },
): Promise<AccountPrincipal | GuestPrincipal> | AccountPrincipal | GuestPrincipal {
  if (ctx.principal === undefined) return principalOfGrant(deps, live, ctx)
  return ctx.principal.kind === 'guest' ? ctx.principal : requireAccount(ctx)
}

/** Where the file shall appear, with the rights of now. @throws AppError PERMISSION_DENIED, PATH_NOT_FOUND */
export async function targetOf(
  { files }: IntakeDeps,
  { row }: LiveUpload,
  principal: AccountPrincipal | GuestPrincipal,
): Promise<Location> {
  const place = placeFor(principal, placeIdsOfRow(row))
  const folder = row.path.slice(0, row.path.lastIndexOf('/')) || '/'
  const opened = await files.access.open({ principal }, place, folder, 'uploadFile')
  const target = newWithin(opened, { name: nameOf(row), kind: 'file' })
  // Where the folder's name is not in NFC on the storage, only the upload knows how it is written.
  return row.store_upload === '' ? target : storedAs(target, storedUpload(row).key)
}

/** Past its time although the sweeper has not come yet. */
function isPast(deps: IntakeDeps, live: LiveUpload): boolean {
  return live.state === 'open' && live.row.expires_at < deps.clock.now()
}

async function principalOfGrant(
  deps: IntakeDeps,
  live: LiveUpload,
  { bearer, address }: { readonly bearer: string; readonly address: string },
): Promise<AccountPrincipal | GuestPrincipal> {
  if (live.row.grant_hash === null || live.row.grant_hash !== hashToken(bearer)) throw new AppError('TOKEN_INVALID')
  if (live.row.link_id !== '') return { ...guestOf(live.row), address }
  const owner = await ownerOf(deps, live)
  const principal = owner && admittedFrom(owner, address)
  if (principal === undefined) throw new AppError('TOKEN_INVALID')
  return principal
}

/**
 * @returns undefined when the owner was removed or locked, or changed the password since, or when the API token that began it
 * counts no longer; with such a token, nothing beyond it
 */
async function ownerOf({ db, clock }: IntakeDeps, { row }: LiveUpload): Promise<AccountPrincipal | undefined> {
  if (row.api_token_id !== '') {
    const granted = await grantOfToken({ db, clock }, { id: row.api_token_id })
    return granted && principalOfToken(await loadAccount(db, granted.user), granted.row)
  }
  const user = await usersStore.byId(db, row.user_id)
  if (!user || !isUsable(user, clock.now()) || hashToken(user.password_hash) !== row.grant_stamp) return undefined
  return loadUser(db, user, row.session_id)
}

/** The guest who began an upload. */
export function guestOf({ link_id: id, visit_id: visitId }: Pick<UploadRow, 'link_id' | 'visit_id'>): GuestPrincipal {
  return { kind: 'guest', id, visitId }
}

/** What binds an upload to its account. */
export type Bound = Pick<UploadRow, 'grant_stamp' | 'session_id' | 'api_token_id'>

export interface NewGrant {
  readonly grant: string
  readonly columns: Bound & { readonly grant_hash: string }
}

const BOUND_TO_LINK: Bound = { grant_stamp: '', session_id: '', api_token_id: '' }

/** A bearer credential for one upload, bound to the account as it is now; of a guest, to the link, which is asked at each part. */
export async function newGrant(deps: IntakeDeps, principal: AccountPrincipal | GuestPrincipal): Promise<NewGrant> {
  const grant = newToken(deps.random)
  const bound = principal.kind === 'guest' ? BOUND_TO_LINK : await boundTo(deps, principal)
  return { grant, columns: { grant_hash: hashToken(grant), ...bound } }
}

/** What binds an upload to the account as it is now. @throws AppError TOKEN_INVALID when that is gone */
export async function boundTo({ db }: Pick<IntakeDeps, 'db'>, principal: AccountPrincipal): Promise<Bound> {
  const user = await usersStore.byId(db, principal.id)
  if (!user) throw new AppError('TOKEN_INVALID')
  return {
    grant_stamp: hashToken(user.password_hash),
    session_id: sessionIdOf(principal),
    api_token_id: principal.kind === 'api-token' ? principal.apiTokenId : '',
  }
}
