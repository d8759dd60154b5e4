import {
  errorSpec,
  PERMISSION,
  SHARE_URL_TYPE,
  wirePermission,
  type GuestAnswer,
  type LinkInfo,
} from '@godwit/contract'
import { wireGroupOf, type Location, type Need } from '../../content/access/index.ts'
import { listPlace } from '../../content/files/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import { usersStore } from '../../identity/users/index.ts'
import { sourceOf } from '../../identity/auth/index.ts'
import type { Authenticator, Ctx, UserCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { hashToken, newToken, secretsEqual } from '../../kernel/crypto/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { CallLimit } from '../../kernel/limits/index.ts'
import type { GuestPrincipal } from '../../kernel/principal.ts'
import { audienceStore } from './link-audience.store.ts'
import { isFor, isInside } from './link-audience.ts'
import { newChallenge, provenDevice, type DeviceProof } from './link-device.ts'
import { maskedRecipient, proveRecipient, recipientOf, type Person } from './link-codes.ts'
import { countGuess } from './link-guesses.ts'
import { entryOf } from './link-guests.policy.ts'
import { guestsStore } from './link-guests.store.ts'
import { openShared, whenFollowed } from './link-identity.ts'
import { sharedIn, shownName } from './link-paths.ts'
import { recipientsStore } from './link-recipients.store.ts'
import type { LinksDeps } from './links.deps.ts'
import { blockOf, isStricter, isUsable, linkIdIn } from './links.policy.ts'
import { formOf } from './links.present.ts'
import type { Link } from './links.schema.ts'
import { passwordOf } from './links.service.ts'
import { linksStore } from './links.store.ts'
import { visitsStore } from './visits.store.ts'

export interface VisitsDeps extends LinksDeps {
  /** Ids that no link has, by the caller's address. */
  readonly misses: CallLimit
}

/** Tells tokens of visits from those of accounts. */
export const VISIT_PREFIX = 'glv_'
/** Uploads have grants of their own and go on after it. */
export const VISIT_MS = 12 * 3_600_000

/** What somebody shows who wants in. */
export interface Claim {
  readonly url: string
  readonly password?: string | undefined
  readonly device?: DeviceProof | undefined
  readonly person?: Person | undefined
  /** That was mailed to this person. */
  readonly code?: string | undefined
}

type Caller = Pick<Ctx, 'address' | 'userAgent'>
type Admission =
  | { readonly row: Link; readonly recipient: string; readonly missing?: undefined }
  /** What the caller has to show besides. */
  | {
      readonly row: Link
      readonly missing:
        | 'LINK_SIGN_IN_REQUIRED'
        | 'LINK_PASSWORD_REQUIRED'
        | 'LINK_DEVICE_MISMATCH'
        | 'LINK_EMAIL_REQUIRED'
    }

/**
 * Looks whether somebody may in. Nothing of the link is said before the password; a device is bound after all else is right.
 * @throws AppError LINK_NOT_FOUND, LINK_EXPIRED, LINK_PASSWORD_WRONG, LINK_DEVICE_MISMATCH, EMAIL_CODE_WRONG,
 * EMAIL_CODE_EXPIRED, RATE_LIMITED
 */
export async function admitGuest(deps: VisitsDeps, caller: Caller, claim: Claim): Promise<Admission> {
  const row = await openLink(deps, caller, claim.url)
  // Nothing that a guest could show lets them in.
  if (isInside(row)) return { row, missing: 'LINK_SIGN_IN_REQUIRED' }
  if (!(await isPasswordRight(deps, caller, row, claim))) return { row, missing: 'LINK_PASSWORD_REQUIRED' }
  const now = deps.clock.now()
  const recipient = claim.person?.to === undefined ? undefined : (await recipientOf(deps, row, claim.person)).recipient
  if (recipient !== undefined && Number(recipient.opened_at) === 0)
    await recipientsStore.change(deps.db, recipient, { opened_at: now })
  let device = ''
  if (row.bind_switch === 1) {
    if (claim.device === undefined) return { row, missing: 'LINK_DEVICE_MISMATCH' }
    device = provenDevice(deps, row.id, claim.device) ?? ''
    if (device === '' || (row.bind_device !== '' && !secretsEqual(row.bind_device, device)))
      throw new AppError('LINK_DEVICE_MISMATCH')
  }
  let address = recipient?.address ?? ''
  if (row.need_email === 1) {
    const { person, code = '' } = claim
    if (person === undefined || code === '') return { row, missing: 'LINK_EMAIL_REQUIRED' }
    const proven = await proveRecipient(deps, caller, { row, person, code })
    address = proven.address
    const openedAt = Number(proven.opened_at) === 0 ? now : proven.opened_at
    await recipientsStore.change(deps.db, proven, { proven_at: now, opened_at: openedAt })
  }
  if (device !== '' && !(await isFirstDevice(deps, row, device))) throw new AppError('LINK_DEVICE_MISMATCH')
  return { row: { ...row, bind_device: device === '' ? row.bind_device : device }, recipient: address }
}

/**
 * A link whose password the caller knows.
 * @throws AppError LINK_NOT_FOUND, LINK_EXPIRED, LINK_PASSWORD_REQUIRED, LINK_PASSWORD_WRONG, RATE_LIMITED
 */
export async function requirePassword(deps: VisitsDeps, caller: Caller, claim: Claim): Promise<Link> {
  const row = await openLink(deps, caller, claim.url)
  if (!(await isPasswordRight(deps, caller, row, claim))) throw new AppError('LINK_PASSWORD_REQUIRED')
  return row
}

/** @throws AppError LINK_NOT_FOUND, LINK_EXPIRED, RATE_LIMITED */
async function openLink(deps: VisitsDeps, caller: Caller, url: string): Promise<Link> {
  const row = await knownLink(deps, caller, url)
  await requireOpen(deps, row)
  return row
}

/** @throws AppError LINK_NOT_FOUND, RATE_LIMITED */
async function knownLink(deps: VisitsDeps, caller: Caller, url: string): Promise<Link> {
  const linkId = linkIdIn(url)
  const row = linkId === undefined ? undefined : await linksStore.byId(deps.db, linkId)
  if (row === undefined) {
    await deps.misses.take(sourceOf(caller.address))
    throw new AppError('LINK_NOT_FOUND')
  }
  return row
}

/** @returns false when none was shown. @throws AppError LINK_PASSWORD_WRONG, RATE_LIMITED */
async function isPasswordRight(
  deps: VisitsDeps,
  caller: Caller,
  row: Link,
  { password: shown = '' }: Claim,
): Promise<boolean> {
  const password = passwordOf(deps, row)
  if (password === '') return true
  if (shown === '') return false
  const takeBack = await countGuess(deps, row.id, caller.address)
  if (!secretsEqual(shown, password)) throw new AppError('LINK_PASSWORD_WRONG')
  await takeBack()
  return true
}

/** The first device that comes is bound. */
async function isFirstDevice({ db }: VisitsDeps, row: Link, device: string): Promise<boolean> {
  if (row.bind_device !== '') return secretsEqual(row.bind_device, device)
  if (await linksStore.bind(db, row.id, device)) return true
  return (await linksStore.byId(db, row.id))?.bind_device === device
}

/** @throws AppError LINK_EXPIRED, also when the owner may not offer it any more */
async function requireOpen(deps: VisitsDeps, row: Link): Promise<void> {
  const now = deps.clock.now()
  if (!isUsable(row, now) || blockOf(row, now) !== null) throw new AppError('LINK_EXPIRED')
  await whenFollowed(deps, row, (link) => openShared(deps, guestOf(row.id, ''), link))
}

export function guestOf(linkId: string, visitId: string): GuestPrincipal {
  return { kind: 'guest', id: linkId, visitId }
}

/** `code` says what is missing, for whoever is not in. */
export interface VerifiedLink extends BegunVisit {
  readonly result: boolean
  readonly code: number
  readonly needPassword: boolean
  readonly challenge: string
  readonly email: string
}

/** Answers the page of a link: begins a visit, or says what is missing. @throws as {@link admitGuest} */
export async function verifyLink(deps: VisitsDeps, caller: Caller, claim: Claim): Promise<VerifiedLink> {
  const admission = await admitGuest(deps, caller, claim)
  const { row, missing } = admission
  if (missing !== undefined) {
    const email = missing === 'LINK_EMAIL_REQUIRED' ? await maskedRecipient(deps, row, claim.person) : ''
    return missingAnswer(deps, row, { missing, email })
  }
  const begun = await beginVisit(deps, caller, { row, recipient: admission.recipient, userId: '' })
  if (begun === undefined) return verifyLink(deps, caller, claim)
  return { result: true, code: 200, ...asked(deps, row), email: '', ...begun }
}

type Missing = NonNullable<Admission['missing']>

/** Says what is missing, and nothing of the link. */
export function missingAnswer(
  deps: VisitsDeps,
  row: Link,
  { missing, email }: { readonly missing: Missing; readonly email: string },
) {
  const { wire: code } = errorSpec(missing)
  return { result: false, code, ...asked(deps, row), account: '', token: '', expiresAt: 0, email }
}

function asked(deps: VisitsDeps, row: Link) {
  return { needPassword: row.password_sealed !== '', challenge: newChallenge(deps, row.id) }
}

/**
 * Begins a visit of a link for people of the site, as one of them: neither a password nor anything else is asked.
 * @throws AppError LINK_NOT_FOUND, LINK_NOT_FOR_YOU, LINK_EXPIRED, RATE_LIMITED
 */
export async function openReceived(deps: VisitsDeps, ctx: UserCtx, url: string): Promise<BegunVisit> {
  const row = await knownLink(deps, ctx, url)
  const { id: userId } = ctx.principal
  if (!isInside(row) || !(await isFor(deps, row, userId))) throw new AppError('LINK_NOT_FOR_YOU')
  await requireOpen(deps, row)
  const begun = await beginVisit(deps, ctx, { row, recipient: accountOf(ctx.principal).account, userId })
  return begun ?? openReceived(deps, ctx, url)
}

interface Beginning {
  readonly row: Link
  readonly recipient: string
  /** '' for guests. */
  readonly userId: string
}

interface BegunVisit {
  readonly account: string
  readonly token: string
  /** Unix seconds. */
  readonly expiresAt: number
}

/** @returns undefined when the link became stricter meanwhile: what was shown may not be enough any more */
async function beginVisit(
  deps: VisitsDeps,
  caller: Caller,
  { row, recipient, userId }: Beginning,
): Promise<BegunVisit | undefined> {
  const { db, dialect, clock } = deps
  const now = clock.now()
  const token = VISIT_PREFIX + newToken(deps.random)
  const expiresAt = now + VISIT_MS
  const isIn = await inTransaction(db, async (tx) => {
    // An edit ends the visits that it finds, so that none may come after it by what was asked before.
    const held = await linksStore.hold(tx, row.id)
    if (held === undefined) throw new AppError('LINK_NOT_FOUND')
    if (isStricter(row, held)) return false
    await visitsStore.insert(tx, {
      id: deps.ids.next(),
      link_id: row.id,
      token_hash: hashToken(token),
      address: caller.address.slice(0, 64),
      user_agent: caller.userAgent.slice(0, 256),
      recipient,
      user_id: userId,
      created_at: now,
      expires_at: expiresAt,
    })
    if (userId !== '') await audienceStore.noteOpening({ tx, dialect }, { linkId: row.id, userId, at: now })
    return true
  })
  if (!isIn) return undefined
  const account = (await usersStore.byId(db, row.owner_id))?.account ?? ''
  return { account, token, expiresAt: Math.floor(expiresAt / 1000) }
}

/** Recognizes tokens of visits. What a guest may do is asked of the link at each step. */
export function visitAuthenticator({ db, clock }: Pick<LinksDeps, 'db' | 'clock'>): Authenticator {
  return {
    async authenticate(bearer) {
      const visit = await visitsStore.byToken(db, hashToken(bearer))
      return visit === undefined || Number(visit.expires_at) <= clock.now()
        ? undefined
        : guestOf(visit.link_id, visit.id)
    },
  }
}

/** @throws AppError TOKEN_INVALID for anybody but a guest */
export function requireGuest({ principal }: Pick<Ctx, 'principal'>): GuestPrincipal {
  if (principal?.kind !== 'guest') throw new AppError('TOKEN_INVALID')
  return principal
}

/** A visit with its link. @throws AppError TOKEN_INVALID, LINK_EXPIRED */
export async function visitOf(deps: LinksDeps, ctx: Pick<Ctx, 'principal'>) {
  const guest = requireGuest(ctx)
  const row = await linksStore.byId(deps.db, guest.id)
  if (row === undefined || !isUsable(row, deps.clock.now())) throw new AppError('LINK_EXPIRED')
  return { guest, row }
}

/**
 * Notes what a guest says of themselves, and that they accept the terms.
 * @throws AppError TOKEN_INVALID, LINK_EXPIRED, and as entryOf()
 */
export async function enterVisit(deps: LinksDeps, ctx: Pick<Ctx, 'principal'>, answer: GuestAnswer): Promise<void> {
  const { guest, row } = await visitOf(deps, ctx)
  const form = formOf(row)
  if (form === null) return
  const entry = JSON.stringify(entryOf(form, answer))
  const at = deps.clock.now()
  await inTransaction(deps.db, (tx) => guestsStore.put(tx, { visit_id: guest.visitId, link_id: row.id, entry, at }))
}

/** What a guest may know of the link. @throws AppError LINK_EXPIRED */
export async function presentInfo(
  deps: LinksDeps,
  ctx: Pick<Ctx, 'signal'>,
  { guest, row }: Visited,
): Promise<LinkInfo> {
  const location = await whenFollowed(deps, row, (link) => openShared(deps, guest, link))
  const owner = await usersStore.byId(deps.db, row.owner_id)
  const account = owner?.account ?? ''
  const [only] = row.targets
  const title = only !== undefined && row.targets.length === 1 ? shownName(only) || row.label : row.label
  const limit = row.download_limit
  return {
    result: true,
    code: 200,
    linkId: row.id,
    token: '',
    actived: true,
    shareAccount: account,
    account,
    sharePasswd: '',
    spaceId: row.space_id,
    groupId: wireGroupOf(row.group_id),
    webEncryptedKey: await deps.sealing.keyForPages(),
    bindSwitch: row.bind_switch === 1,
    bindDevice: row.bind_device,
    userPermission: wirePermission(permissionAt(location)),
    shareUrlType: row.url_type === SHARE_URL_TYPE.upload ? 0 : 1,
    shareAllowDownload: row.allow_download === 1 ? 1 : 0,
    needPassword: row.password_sealed !== '',
    title,
    type: row.src_type,
    itemCount: await itemCount(deps, ctx, { guest, row }),
    description: row.description,
    sealedBy: row.sealed_by,
    shareExpireTime: Math.floor(Number(row.expires_at) / 1000),
    guestForm: (await guestsStore.has(deps.db, guest.visitId)) ? null : formOf(row),
    downloadsLeft: limit === 0 ? null : Math.max(0, limit - row.download_count),
  }
}

export interface Visited {
  readonly guest: GuestPrincipal
  readonly row: Link
}

const FLAGS = [
  [PERMISSION.list, 'list'],
  [PERMISSION.download, 'download'],
  [PERMISSION.upload, 'uploadFile'],
  [PERMISSION.mkdir, 'makeFolder'],
] as const satisfies ReadonlyArray<readonly [number, Need]>

function permissionAt(location: Location): number {
  return FLAGS.reduce((set, [flag, need]) => (location.permits(need) ? set | flag : set), 0)
}

async function itemCount(deps: LinksDeps, { signal }: Pick<Ctx, 'signal'>, { guest, row }: Visited): Promise<number> {
  if (row.url_type === SHARE_URL_TYPE.upload) return 0
  const { root, entries } = sharedIn(row)
  if (root === undefined) return entries.size
  const first = { folder: root, limit: 1, orderBy: 'name', order: 'asc' } as const
  const place = { kind: 'link', linkId: row.id } as const
  return (await listPlace(deps.files, { principal: guest, signal }, { ...first, place })).total
}
