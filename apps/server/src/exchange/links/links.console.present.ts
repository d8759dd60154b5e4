import {
  LINK_NAMES_SHOWN,
  LINK_STATUS,
  SHARE_URL_TYPE,
  type AdminLink,
  type AdminLinkDetail,
  type AdminLinkUse,
  type GuestEntry,
  type LinkBlock,
} from '@godwit/contract'
import { allSpaces } from '../../content/spaces/index.ts'
import { departmentsStore } from '../../identity/departments/index.ts'
import { groupsStore } from '../../identity/groups/index.ts'
import { usersSearch, usersStore, type UserRow } from '../../identity/users/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { historyStore } from './link-history.store.ts'
import { folderIn, nameIn, sharedIn, wayInto } from './link-paths.ts'
import type { LinksDeps } from './links.deps.ts'
import { blockOf, statusOf } from './links.policy.ts'
import { addressOf } from './links.present.ts'
import type { Link, LinkUseRow } from './links.schema.ts'
import { guestOf } from './visits.service.ts'
import { visitsStore } from './visits.store.ts'

/** Steps of a history that are shown. */
const STEPS_SHOWN = 100

/** Rows of the register. */
export async function presentAdminLinks(deps: LinksDeps, rows: readonly Link[]): Promise<AdminLink[]> {
  if (rows.length === 0) return []
  const owners = await usersSearch.byIds(deps.db, [...new Set(rows.map((row) => row.owner_id))])
  const byId = new Map(owners.map((owner) => [owner.id, owner]))
  const spaces = new Map((await allSpaces(deps.db)).map(({ id, spaceName }) => [id, spaceName]))
  const groups = new Map<number, string>()
  for (const id of new Set(rows.map((row) => row.group_id)))
    if (id > 0) groups.set(id, (await groupsStore.byId(deps.db, id))?.name ?? '')
  return Promise.all(
    rows.map(async (row) => ({
      ...factsOf(deps, row),
      owner: ownerOf(row, byId.get(row.owner_id)),
      ...(await stateOf(deps, row)),
      spaceId: row.space_id,
      space: spaces.get(row.space_id) ?? '',
      group: groups.get(row.group_id) ?? '',
    })),
  )
}

/** @throws AppError LINK_NOT_FOUND */
export async function presentAdminLink(deps: LinksDeps, row: Link): Promise<AdminLinkDetail> {
  const [link] = await presentAdminLinks(deps, [row])
  if (link === undefined) throw new AppError('LINK_NOT_FOUND')
  const departmentId = (await usersStore.byId(deps.db, row.owner_id))?.department_id ?? null
  const departments = await departmentsStore.names(deps.db, departmentId === null ? [] : [departmentId])
  const steps = await historyStore.latest(deps.db, row.id, STEPS_SHOWN)
  const actors = await usersSearch.byIds(deps.db, [...new Set(steps.map((step) => step.by_id))])
  const accounts = new Map(actors.map(({ id, account }) => [id, account]))
  return {
    ...link,
    department: departments.get(departmentId ?? 0) ?? '',
    description: row.description,
    recipients: JSON.parse(row.recipients) as string[],
    notify: row.notify === 1,
    visits: await visitsStore.countOpen(deps.db, [row.id], deps.clock.now()),
    history: steps.map(({ change_kind: change, by_id: by, at }) => ({
      ...{ change, at: Number(at) },
      // Of an account that is gone its id is left.
      account: accounts.get(by) ?? by,
    })),
  }
}

export function presentAdminUse(row: LinkUseRow, guest: GuestEntry): AdminLinkUse {
  const { id, kind, address, file_count: fileCount } = row
  return {
    ...{ id, kind, address, fileCount, at: Number(row.at), bytes: Number(row.bytes), whole: row.is_whole === 1 },
    files: JSON.parse(row.files) as string[],
    recipient: row.recipient,
    guest,
  }
}

function ownerOf({ owner_id: id }: Link, owner: UserRow | undefined): AdminLink['owner'] {
  return { id, account: owner?.account ?? '', name: owner?.name ?? '' }
}

function factsOf(deps: LinksDeps, row: Link) {
  return {
    id: row.id,
    address: addressOf(deps, row),
    kind: row.url_type === SHARE_URL_TYPE.upload ? ('invite' as const) : ('share' as const),
    folder: folderIn(row.targets[0]?.path ?? '/'),
    names: row.targets.slice(0, LINK_NAMES_SHOWN).map(({ path }) => nameIn(path) || '/'),
    count: row.targets.length,
    missing: row.targets.filter(({ is_lost: isLost }) => isLost === 1).length,
    hasPassword: row.password_sealed !== '',
    needEmail: row.need_email === 1,
    audience: row.audience,
    recipientCount: (JSON.parse(row.recipients) as string[]).length,
    bindSwitch: row.bind_switch === 1,
    isBound: row.bind_device !== '',
    allowDownload: row.allow_download === 1,
    expiresAt: Number(row.expires_at),
    notBefore: Number(row.not_before),
    createdAt: Number(row.created_at),
    downloads: row.download_count,
    downloadLimit: row.download_limit,
    uploads: row.upload_count,
  }
}

async function stateOf(deps: LinksDeps, row: Link): Promise<Pick<AdminLink, 'state' | 'blockedBy'>> {
  const now = deps.clock.now()
  const status = statusOf(row, now)
  if (status === LINK_STATUS.canceled) return { state: 'canceled', blockedBy: null }
  if (status === LINK_STATUS.expired) return { state: 'expired', blockedBy: null }
  return { state: 'normal', blockedBy: await blockedBy(deps, row, now) }
}

async function blockedBy(deps: LinksDeps, row: Link, now: number): Promise<LinkBlock | null> {
  // A link that has not begun opens for nobody, whatever its owner may do.
  const block = blockOf(row, now)
  if (block === 'not-before') return block
  return (await mayOwner(deps, row)) ? block : 'owner'
}

/** Whether the owner may do now what the link offers; nothing is looked up on the storage. */
async function mayOwner({ files }: LinksDeps, row: Link): Promise<boolean> {
  const need = row.url_type === SHARE_URL_TYPE.upload ? 'uploadFile' : 'view'
  const way = wayInto(sharedIn(row)) ?? '/'
  try {
    await files.access.open({ principal: guestOf(row.id, '') }, { kind: 'link', linkId: row.id }, way, need)
    return true
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.status < 500) return false
    throw thrown
  }
}
