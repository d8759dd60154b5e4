import { hasPermission, PERMISSION, SHARE_URL_TYPE } from '@godwit/contract'
import {
  compileRules,
  flagsAt,
  NO_CAP,
  placeOf,
  type GuestFolder,
  type PlaceResolver,
  type Standing,
} from '../../content/access/index.ts'
import { admittedFrom, loadJobPrincipal } from '../../identity/principals/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { GuestPrincipal, JobPrincipal } from '../../kernel/principal.ts'
import { isFor, isInside } from './link-audience.ts'
import { guestsStore } from './link-guests.store.ts'
import { openShared, whenFollowed } from './link-identity.ts'
import { folderIn, sharedIn } from './link-paths.ts'
import type { LinksDeps } from './links.deps.ts'
import { isUsable } from './links.policy.ts'
import type { Link, LinkRow } from './links.schema.ts'
import { linksStore } from './links.store.ts'
import { visitsStore } from './visits.store.ts'

const NEW_ONLY = compileRules({ uploadNewOnly: true })

/** The owner with the rights of now; undefined when locked or removed. */
export function ownerOf(
  { db, clock }: Pick<LinksDeps, 'db' | 'clock'>,
  row: LinkRow,
): Promise<JobPrincipal | undefined> {
  return loadJobPrincipal({ db, clock }, { id: row.id, ownerId: row.owner_id })
}

/** Guests are bound by the lists of the space, not by where its owner may sign in. */
async function ownerAt(
  deps: Pick<LinksDeps, 'db' | 'clock'>,
  row: LinkRow,
  { address }: GuestPrincipal,
): Promise<JobPrincipal | undefined> {
  const owner = await ownerOf(deps, row)
  if (owner === undefined || address === undefined) return owner
  return admittedFrom({ ...owner, account: { ...owner.account, loginAddresses: '' } }, address)
}

/**
 * The place of a link: the owner's, with paths as the owner has them, but only what is shared exists in it, with what the
 * link allows and the owner may do now. Read at every step, so that a link ends with the right of its owner.
 * @throws AppError LINK_EXPIRED, for whatever reason; PERMISSION_DENIED for anybody but a guest of this link
 */
export function linkPlaces(deps: Pick<LinksDeps, 'db' | 'clock'>): PlaceResolver<'link'> {
  return async (principal, { linkId }, standingIn) => {
    if (principal.kind !== 'guest' || principal.id !== linkId) throw new AppError('PERMISSION_DENIED')
    const row = await linksStore.byId(deps.db, linkId)
    if (row === undefined || !isUsable(row, deps.clock.now())) throw new AppError('LINK_EXPIRED')
    if (!(await isInvited(deps, row, principal.visitId))) throw new AppError('LINK_EXPIRED')
    const owner = await ownerAt(deps, row, principal)
    if (owner === undefined) throw new AppError('LINK_EXPIRED')
    const place = placeOf({ spaceId: row.space_id, groupId: row.group_id })
    return standingOfGuest(row, await withoutReason(() => standingIn(place, owner)))
  }
}

/**
 * Whether a visit of a link for people of the site is of one whom it is for still. Without a visit the server looks for itself
 * what the owner may do: nobody is admitted to such a link without one.
 */
async function isInvited(deps: Pick<LinksDeps, 'db' | 'clock'>, row: LinkRow, visitId: string): Promise<boolean> {
  if (!isInside(row) || visitId === '') return true
  return isFor(deps, row, (await visitsStore.byId(deps.db, visitId))?.user_id ?? '')
}

/** A guest learns that the link is over, not what its owner lost. */
async function withoutReason<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look()
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.status < 500)
      throw new AppError('LINK_EXPIRED', undefined, { cause: thrown })
    throw thrown
  }
}

/** Whether flags let their holder offer what a link offers. */
export function mayOffer(urlType: number, flags: number): boolean {
  return urlType === SHARE_URL_TYPE.upload
    ? hasPermission(flags, 'invite') && hasPermission(flags, 'upload')
    : hasPermission(flags, 'share') && hasPermission(flags, 'download')
}

/** Permission bits that a link gives, before those of its owner are asked. */
export function flagsOfLink(row: Pick<LinkRow, 'url_type' | 'allow_download'>): number {
  if (row.url_type === SHARE_URL_TYPE.upload) return PERMISSION.upload | PERMISSION.mkdir
  return PERMISSION.list | (row.allow_download === 1 ? PERMISSION.download : 0)
}

/** @throws AppError LINK_EXPIRED when the owner may not offer it now */
export function standingOfGuest(row: Link, owner: Standing): Standing {
  const { grants } = owner
  const { root, entries } = sharedIn(row)
  const prefixes = root === undefined ? [...entries.values()] : [root]
  const folders = root === undefined ? new Set(prefixes.map(folderIn)) : prefixes
  const ownerFlags = [...folders].map((folder) => flagsAt(grants, folder)).reduce((all, flags) => all & flags, NO_CAP)
  if (prefixes.length === 0 || !mayOffer(row.url_type, ownerFlags)) throw new AppError('LINK_EXPIRED')
  const isInvite = row.url_type === SHARE_URL_TYPE.upload
  const flags = flagsOfLink(row)
  return {
    ...owner,
    grants: {
      given: prefixes.map((prefix) => ({
        subject: { kind: 'link', id: row.id },
        prefix,
        flags,
        // The owner may download: asked above.
        mayView: !isInvite,
      })),
      caps: [...grants.caps, ownerFlags],
      rules: isInvite ? [...grants.rules, NEW_ONLY] : grants.rules,
      isAdministrator: false,
      quotaBuckets: grants.quotaBuckets,
    },
  }
}

/**
 * The folder of an invite link, for its guests.
 * @throws AppError LINK_EXPIRED, LINK_FORM_REQUIRED, PERMISSION_DENIED for other links
 */
export async function guestFolder(
  deps: Pick<LinksDeps, 'db' | 'clock' | 'files'>,
  guest: GuestPrincipal,
): Promise<GuestFolder> {
  const row = await linksStore.byId(deps.db, guest.id)
  if (row === undefined || !isUsable(row, deps.clock.now())) throw new AppError('LINK_EXPIRED')
  if (row.url_type !== SHARE_URL_TYPE.upload) throw new AppError('PERMISSION_DENIED', { permission: 'upload' })
  await requireEntered(deps.db, row, guest)
  const { path } = await whenFollowed(deps, row, (link) => openShared(deps, guest, link))
  return { ids: { spaceId: row.space_id, groupId: row.group_id }, ownerId: row.owner_id, path }
}

/** @throws AppError LINK_FORM_REQUIRED while a guest has not said what the owner asks */
export async function requireEntered(
  db: Db,
  row: Pick<LinkRow, 'guest_form'>,
  { visitId }: GuestPrincipal,
): Promise<void> {
  if (row.guest_form !== null && !(await guestsStore.has(db, visitId))) throw new AppError('LINK_FORM_REQUIRED')
}
