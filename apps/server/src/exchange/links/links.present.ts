import {
  LINK_STATUS,
  type FileAlias,
  type GuestEntry,
  type GuestForm,
  type LinkBlock,
  type LinkGroup,
  type LinkPerson,
  type LinkRecord,
  type LinkUse,
} from '@godwit/contract'
import type { Db } from '../../kernel/db/index.ts'
import { wireGroupOf } from '../../content/access/index.ts'
import { guestsStore } from './link-guests.store.ts'
import { requestOf } from './link-request.policy.ts'
import { folderIn, nameIn } from './link-paths.ts'
import type { LinksDeps } from './links.deps.ts'
import { blockOf, statusOf } from './links.policy.ts'
import type { Link, LinkRow, LinkTargetRow, LinkUseRow } from './links.schema.ts'
import { passwordOf } from './links.service.ts'

/** What a record shows besides its row. */
export interface LinkFacts {
  readonly account: string
  readonly email: string
  readonly spaceName: string
  readonly groupName: string
  /** Whether the owner may do now what the link offers. */
  readonly mayOwner: boolean
  /** Whom a link for people of the site names. */
  readonly users: LinkPerson[]
  readonly groups: LinkGroup[]
}

/** The address of a link; a path while the installation has no public address. */
export function addressOf({ publicUrl }: Pick<LinksDeps, 'publicUrl'>, { id }: Pick<LinkRow, 'id'>): string {
  return `${publicUrl.replace(/\/+$/, '')}/share/${id}`
}

export function presentLink(deps: LinksDeps, row: Link, facts: LinkFacts): LinkRecord {
  const now = deps.clock.now()
  const status = statusOf(row, now)
  const [first] = row.targets
  return {
    linkId: row.id,
    shareLink: addressOf(deps, row),
    shareUrlType: row.url_type === 0 ? 0 : 1,
    filename: row.targets.map(nameOfTarget),
    type: row.src_type,
    shareServerPath: folderIn(first?.path ?? '/'),
    missing: row.targets.filter(({ is_lost: isLost }) => isLost === 1).map(nameOfTarget),
    spaceId: row.space_id,
    groupId: wireGroupOf(row.group_id),
    spaceName: facts.spaceName,
    groupName: facts.groupName,
    needPassword: row.password_sealed !== '',
    sharePassword: passwordOf(deps, row),
    shareStatus: status,
    blockedBy: status === LINK_STATUS.normal ? blockedBy(row, now, facts) : null,
    account: facts.account,
    creatorEmail: facts.email,
    shareCreateTime: seconds(row.created_at),
    shareExpireTime: seconds(row.expires_at),
    notBefore: seconds(row.not_before),
    shareEmail: JSON.parse(row.recipients) as string[],
    notifyEmail: row.notify === 1,
    shareAllowDownload: row.allow_download === 1 ? 1 : 0,
    fileAlias: aliasesOf(row),
    bindSwitch: row.bind_switch === 1,
    bindDevice: row.bind_device,
    downloadLimit: row.download_limit,
    downloadCount: row.download_count,
    uploadCount: row.upload_count,
    description: row.description,
    guestForm: formOf(row),
    request: requestOf(row),
    needEmail: row.need_email === 1,
    sealedBy: row.sealed_by,
    audience: { kind: row.audience, users: facts.users, groups: facts.groups },
  }
}

/** A place as a whole has no name of its own. */
function nameOfTarget({ path }: LinkTargetRow): string {
  return nameIn(path) || '/'
}

function aliasesOf({ targets }: Pick<Link, 'targets'>): FileAlias[] {
  return targets.filter(({ alias }) => alias !== '').map(({ path, alias }) => ({ file: nameIn(path), alias }))
}

function blockedBy(row: LinkRow, now: number, { mayOwner }: LinkFacts): LinkBlock | null {
  return mayOwner ? blockOf(row, now) : 'owner'
}

/** What guests of a link are asked; null: nothing. */
export function formOf({ guest_form: form }: Pick<LinkRow, 'guest_form'>): GuestForm | null {
  return form === null ? null : (JSON.parse(form) as GuestForm)
}

/** What guests said, by the record of what they did. */
export async function guestsOf(db: Db, rows: readonly LinkUseRow[]): Promise<(row: LinkUseRow) => GuestEntry> {
  const entries = await guestsStore.entriesOf(
    db,
    rows.map((row) => row.visit_id),
  )
  return ({ visit_id: visitId }) => JSON.parse(entries.get(visitId) ?? '[]') as GuestEntry
}

export function presentUse(row: LinkUseRow, guest: GuestEntry): LinkUse {
  return {
    kind: row.kind,
    time: seconds(row.at),
    address: row.address,
    files: JSON.parse(row.files) as string[],
    fileCount: row.file_count,
    bytes: Number(row.bytes),
    whole: row.is_whole === 1,
    recipient: row.recipient,
    guest,
  }
}

function seconds(ms: number): number {
  return Math.floor(Number(ms) / 1000)
}
