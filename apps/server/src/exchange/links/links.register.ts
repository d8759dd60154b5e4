import { LINK_STATUS, SHARE_URL_TYPE } from '@godwit/contract'
import { usersStore } from '../../identity/users/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { wireGroupOf } from '../../content/access/index.ts'
import { folderIn, nameIn } from './link-paths.ts'
import { changeLinks, type ChangeDeps } from './links.changes.ts'
import { blockOf, linkIdIn, statusOf } from './links.policy.ts'
import { addressOf } from './links.present.ts'
import type { Link } from './links.schema.ts'
import { linksStore } from './links.store.ts'

/** A link as those see it who run the installation: all but its password and its device. */
export interface RegisteredLink {
  readonly linkId: string
  /** A path without a host while the installation has no public address. */
  readonly address: string
  readonly type: 'share' | 'invite'
  /** Of its owner. */
  readonly account: string
  readonly status: keyof typeof LINK_STATUS
  readonly blockedBy: string | null
  readonly spaceId: number
  readonly groupId: number
  readonly folder: string
  readonly names: readonly string[]
  /** Of these, what is gone. */
  readonly missing: readonly string[]
  readonly hasPassword: boolean
  /** Unix milliseconds; 0: never. */
  readonly expiresAt: number
  readonly createdAt: number
  readonly downloads: number
  readonly uploads: number
}

export interface RegisterDeps extends Pick<ChangeDeps, 'db' | 'clock'> {
  readonly publicUrl: string
}

export interface RegisterSearch {
  readonly type: RegisteredLink['type'] | undefined
  readonly status: RegisteredLink['status'] | undefined
  readonly ownerId: string | undefined
  /** Part of a name or of the folder. */
  readonly text: string
  readonly limit: number
}

/** Everybody's links, the newest first. */
export async function searchRegister(
  deps: RegisterDeps,
  { type, status, ownerId, text, limit }: RegisterSearch,
): Promise<{ readonly links: readonly RegisteredLink[]; readonly total: number }> {
  const { rows, total } = await linksStore.search(deps.db, {
    ownerId,
    urlType: type === undefined ? undefined : type === 'share' ? SHARE_URL_TYPE.download : SHARE_URL_TYPE.upload,
    status: status === undefined ? undefined : LINK_STATUS[status],
    text: text.trim().toLowerCase(),
    ...{ orderBy: 'created_at', order: 'desc', offset: 0, limit, now: deps.clock.now() },
  })
  const links: RegisteredLink[] = []
  for (const row of rows) links.push(await registered(deps, row))
  return { links, total }
}

/** @throws AppError LINK_NOT_FOUND */
export async function registeredLink(deps: RegisterDeps, address: string): Promise<RegisteredLink> {
  return registered(deps, await requireLink(deps.db, address))
}

/**
 * Does to somebody's link what its owner may do.
 * @param by the account that does it; '' for an operator at the command line
 * @throws AppError LINK_NOT_FOUND
 */
export async function changeRegistered(
  deps: ChangeDeps,
  address: string,
  { change, by }: { readonly change: 'canceled' | 'enabled' | 'removed'; readonly by: string },
): Promise<void> {
  await changeLinks(deps, { rows: [await requireLink(deps.db, address)], change, by })
}

async function requireLink(db: Db, address: string): Promise<Link> {
  const link = await linksStore.byId(db, linkIdIn(address) ?? '')
  if (link === undefined) throw new AppError('LINK_NOT_FOUND')
  return link
}

const STATUS_NAMES = new Map(
  (Object.keys(LINK_STATUS) as Array<keyof typeof LINK_STATUS>).map((name) => [LINK_STATUS[name] as number, name]),
)

async function registered(deps: RegisterDeps, link: Link): Promise<RegisteredLink> {
  const now = deps.clock.now()
  const status = STATUS_NAMES.get(statusOf(link, now)) ?? 'expired'
  const owner = await usersStore.byId(deps.db, link.owner_id)
  const nameOf = ({ path }: { readonly path: string }): string => nameIn(path) || '/'
  return {
    linkId: link.id,
    address: addressOf(deps, link),
    type: link.url_type === SHARE_URL_TYPE.upload ? 'invite' : 'share',
    account: owner?.account ?? '',
    status,
    blockedBy: status === 'normal' ? blockOf(link, now) : null,
    spaceId: link.space_id,
    groupId: wireGroupOf(link.group_id),
    folder: folderIn(link.targets[0]?.path ?? '/'),
    names: link.targets.map(nameOf),
    missing: link.targets.filter(({ is_lost: isLost }) => isLost === 1).map(nameOf),
    hasPassword: link.password_sealed !== '',
    expiresAt: Number(link.expires_at),
    createdAt: Number(link.created_at),
    downloads: link.download_count,
    uploads: link.upload_count,
  }
}
