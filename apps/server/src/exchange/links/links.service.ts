import { randomHex } from '@godwit/base'
import {
  LIMITS,
  LINK_STATUS,
  NEVER_EXPIRES,
  SHARE_SOURCE_TYPE,
  SHARE_URL_TYPE,
  type CreateLinkInput,
  type EditLinkInput,
  type FileAlias,
  type GuestForm,
  type LinkAudience,
  type LinkRequest,
} from '@godwit/contract'
import {
  nameOf,
  pathNames,
  placeOf,
  requireEntry,
  requireFolder,
  type Found,
  type Need,
  type PlaceIds,
} from '../../content/access/index.ts'
import { hashOfPath } from '../../content/file-events/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { inTransaction, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { nameIn, sharedIn } from './link-paths.ts'
import { audienceStore } from './link-audience.store.ts'
import { checkedNames, keepAudience, readersOf, withoutGuestTerms } from './link-audience.ts'
import { placeOfTarget, targetsStore } from './link-targets.store.ts'
import type { LinksDeps } from './links.deps.ts'
import { addedTo, keepRecipients, recipientsOf } from './link-recipients.ts'
import { mailLink, requireSender, requireServerMails } from './links.mail.ts'
import { recordChange, requireOwn } from './links.changes.ts'
import { namesOf } from './links.names.ts'
import { isStricter } from './links.policy.ts'
import type { Link, LinkRow, LinkTargetRow } from './links.schema.ts'
import { LINK_SETTINGS, type LinkRules } from './links.settings.ts'
import { linksStore } from './links.store.ts'
import { visitsStore } from './visits.store.ts'
import { requireSealedTerms } from './sealed-links.policy.ts'
import {
  changedEnd,
  checkedAliases,
  checkedPassword,
  checkedRecipients,
  checkTimes,
  type Entry,
} from './links.terms.ts'

const DAY_MS = 24 * 3_600_000
const SEALED = 'link-password'
const LOOKS_AT_ONCE = 50

/**
 * Makes a link to what the caller may share now. The row and `link.changed` commit together with the mails of it.
 * @throws AppError PATH_NOT_FOUND, PERMISSION_DENIED, SHARE_TOO_MANY_FILES, and as the rules in links.terms.ts
 */
export async function createLink(deps: LinksDeps, ctx: UserCtx, asked: CreateLinkInput): Promise<Link> {
  const wanted = withoutGuestTerms(asked, asked.audience.kind !== 'anyone')
  requireSealedTerms(wanted.sealedBy !== '', asked)
  const rules = await deps.settings.of(LINK_SETTINGS)
  if (wanted.shareFiles.length > rules['links.filesMax'])
    throw new AppError('SHARE_TOO_MANY_FILES', { max: rules['links.filesMax'] })
  const now = deps.clock.now()
  const expiresAt =
    wanted.shareExpireTime === undefined ? now + LIMITS.shareExpiryDefaultDays * DAY_MS : wanted.shareExpireTime * 1000
  const notBefore = wanted.notBefore * 1000
  checkTimes({ now, expiresAt, notBefore })
  const password = wanted.needPassword ? checkedPassword(wanted.shareUrlPasswd, rules['links.passwordMax']) : ''
  const recipients = checkedRecipients(wanted.shareEmail)
  if (recipients.length > 0) await requireServerMails(deps, ctx, wanted.spaceId)
  requireRecipients(wanted.needEmail, recipients)
  if (recipients.length > 0 || wanted.notifyEmail) await requireSender(deps, ctx)
  const named = await checkedNames(deps, ctx, wanted.audience)
  const shared = await sharedBy(deps, ctx, wanted)
  if (wanted.sealedBy !== '' && shared.type !== SHARE_SOURCE_TYPE.folder)
    throw new AppError('LINK_SEALED_TERMS', { field: 'shareFiles' })
  const aliases = checkedAliases(wanted.fileAlias, shared.type === SHARE_SOURCE_TYPE.folder ? [] : entriesOf(shared))
  const id = randomHex(deps.random, 16)
  const place = placeOfTarget({ ...shared.place, userId: ctx.principal.id })
  const targets = shared.found.map((found, at) => targetOf(found, { link_id: id, at, ...place }, aliases))
  const row: Link = {
    id,
    owner_id: ctx.principal.id,
    url_type: wanted.shareUrlType,
    space_id: wanted.spaceId,
    group_id: shared.place.groupId,
    src_type: shared.type,
    targets,
    ...namesOf({ targets }),
    password_sealed: password === '' ? '' : deps.vault.seal(SEALED, password),
    not_before: notBefore,
    expires_at: expiresAt,
    status: LINK_STATUS.normal,
    notify: wanted.notifyEmail ? 1 : 0,
    allow_download: wanted.shareAllowDownload,
    bind_switch: isBound(wanted.audience.kind, wanted.bindSwitch, rules) ? 1 : 0,
    bind_device: '',
    download_limit: wanted.shareUrlType === SHARE_URL_TYPE.download ? wanted.downloadLimit : 0,
    download_count: 0,
    upload_count: 0,
    lost_at: 0,
    recipients: JSON.stringify(recipients),
    need_email: wanted.needEmail ? 1 : 0,
    audience: wanted.audience.kind,
    sealed_by: wanted.sealedBy,
    mail_language: wanted.emailLanguage,
    mail_text: wanted.shareEmailContent.trim(),
    description: wanted.description,
    guest_form: formText(wanted.shareUrlType, wanted.guestForm),
    request: requestText(wanted.shareUrlType, wanted.request, shared.found[0]),
    reported_until: now,
    reported_at: 0,
    reminded_of: 0,
    chased_at: 0,
    created_at: now,
  }
  const readers = await inTransaction(deps.db, async (tx) => {
    await linksStore.insert(tx, row)
    await recordChange(deps, tx, { row, change: 'created', by: ctx.principal.id })
    await keepRecipients(deps, tx, row)
    await mailLink(deps, tx, { row, to: recipients })
    return keepAudience(deps, tx, { row, named })
  })
  deps.outbox.nudge()
  publishReceived(deps, readers)
  return row
}

/** Open pages of these accounts list anew what others made for them. */
function publishReceived({ bus }: Pick<LinksDeps, 'bus'>, userIds: readonly string[]): void {
  for (const userId of userIds) bus.publish('links.received', { userId })
}

/** '' without a password. */
export function passwordOf({ vault }: Pick<LinksDeps, 'vault'>, row: Pick<LinkRow, 'password_sealed'>): string {
  return row.password_sealed === '' ? '' : vault.open(SEALED, row.password_sealed)
}

/** What an owner asks of a link that is there. */
type LinkEdit = EditLinkInput & {
  /** How much longer it lasts, from its end or from now; one that never ends stays so. */
  readonly extendDays?: number
}

/**
 * Changes the terms of a link; what is left out stays. Stricter terms end the visits there are. Edits at the same time come one
 * after the other, and each stands on what the one before it left.
 * @throws AppError LINK_NOT_FOUND, and as the rules in links.terms.ts
 */
export async function editLink(deps: LinksDeps, ctx: UserCtx, asked: LinkEdit): Promise<Link> {
  const [known] = await requireOwn(deps, ctx, [asked.shareUrl])
  if (known === undefined) throw new AppError('LINK_NOT_FOUND')
  requireSealedTerms(known.sealed_by !== '', asked)
  // No transaction waits for a storage.
  const request = asked.request === undefined ? {} : { request: await changedRequest(deps, known, asked.request) }
  const { edited, readers } = await inTransaction(deps.db, async (tx) => {
    const row = await linksStore.hold(tx, known.id)
    if (row?.owner_id !== ctx.principal.id) throw new AppError('LINK_NOT_FOUND')
    const wanted = withoutGuestTerms(asked, (asked.audience?.kind ?? row.audience) !== 'anyone')
    const change = { ...(await changedTerms(deps, row, wanted)), ...request }
    return keepEdit(deps, ctx, { tx, row, wanted, change })
  })
  deps.outbox.nudge()
  publishReceived(deps, readers)
  deps.bus.publish('link.changed', { linkId: edited.id })
  return edited
}

interface Edit {
  readonly tx: Tx
  /** As it is within the transaction, held. */
  readonly row: Link
  readonly wanted: LinkEdit
  readonly change: Partial<LinkRow>
}

/** Writes what an edit changes, and nothing else. @returns also the accounts whose list of links is another one now. @throws as editLink() */
async function keepEdit(deps: LinksDeps, ctx: UserCtx, { tx, row, wanted, change }: Edit) {
  const aliased = wanted.fileAlias === undefined ? undefined : changedAliases(row, wanted.fileAlias)
  const edited: Link = { ...row, ...change, targets: aliased ?? row.targets }
  const recipients = recipientsOf(edited)
  const added = addedTo(recipientsOf(row), recipients)
  requireRecipients(edited.need_email === 1, recipients)
  if (added.length > 0) await requireServerMails(deps, ctx, row.space_id)
  if (added.length > 0 || wanted.notifyEmail === true) await requireSender(deps, ctx)
  const named =
    wanted.audience && (await checkedNames(deps, ctx, wanted.audience, await audienceStore.namedBy(tx, row.id)))
  if (Object.keys(change).length > 0) await linksStore.change(tx, row.id, change)
  for (const { at, alias } of aliased ?? []) await targetsStore.change(tx, { link_id: row.id, at }, { alias })
  if (isStricter(row, change)) await visitsStore.endAllOf(tx, [row.id], deps.clock.now())
  await recordChange(deps, tx, { row: edited, change: 'edited', by: ctx.principal.id })
  await keepRecipients(deps, tx, edited)
  await mailLink(deps, tx, { row: edited, to: added })
  const readers = named ? await keepAudience(deps, tx, { row: edited, named }) : await readersOf(tx, edited)
  return { edited, readers }
}

/** Lets links last so many days longer, from their end or from now; those that never end stay so. @throws AppError LINK_NOT_FOUND */
export async function extendLinks(
  deps: LinksDeps,
  ctx: UserCtx,
  { shareUrlList, days }: { readonly shareUrlList: readonly string[]; readonly days: number },
): Promise<void> {
  for (const { id, expires_at: end } of await requireOwn(deps, ctx, shareUrlList))
    if (Number(end) !== NEVER_EXPIRES) await editLink(deps, ctx, { shareUrl: id, extendDays: days })
}

/** @throws AppError LINK_RECIPIENT_REQUIRED for a link that only its recipients may open, and that has none */
function requireRecipients(needsEmail: boolean, recipients: readonly string[]): void {
  if (needsEmail && recipients.length === 0) throw new AppError('LINK_RECIPIENT_REQUIRED')
}

/** Whether the first device is the only one: where the site binds every link of guests, no owner takes one out. */
function isBound(
  audience: LinkAudience,
  wanted: boolean | undefined,
  rules: Pick<LinkRules, 'links.bindEvery' | 'links.bindFirstDevice'>,
): boolean {
  if (audience === 'anyone' && rules['links.bindEvery'] === 1) return true
  return wanted ?? rules['links.bindFirstDevice'] === 1
}

/** The columns that an edit asks to change, by the link as it is. */
async function changedTerms(deps: LinksDeps, row: LinkRow, wanted: LinkEdit): Promise<Partial<LinkRow>> {
  const now = deps.clock.now()
  const expiresAt = changedEnd(Number(row.expires_at), wanted, now)
  const notBefore = wanted.notBefore === undefined ? undefined : wanted.notBefore * 1000
  const password = await changedPassword(deps, row, wanted)
  // A link that is over already may be renamed, or given a new time.
  const isTimeChange = expiresAt !== undefined || notBefore !== undefined
  if (isTimeChange)
    checkTimes({ now, expiresAt: expiresAt ?? Number(row.expires_at), notBefore: notBefore ?? Number(row.not_before) })
  const bind =
    wanted.bindSwitch === undefined
      ? undefined
      : isBound(wanted.audience?.kind ?? row.audience, wanted.bindSwitch, await deps.settings.of(LINK_SETTINGS))
  const isRevived = row.status === LINK_STATUS.expired && isTimeChange
  return {
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    ...(notBefore === undefined ? {} : { not_before: notBefore }),
    ...(isRevived ? { status: LINK_STATUS.normal } : {}),
    ...(password === undefined ? {} : { password_sealed: password }),
    ...(wanted.notifyEmail === undefined ? {} : { notify: wanted.notifyEmail ? 1 : 0 }),
    // Mails are about what happens from now on.
    ...(wanted.notifyEmail === true && row.notify === 0 ? { reported_until: now } : {}),
    ...(wanted.shareAllowDownload === undefined ? {} : { allow_download: wanted.shareAllowDownload }),
    ...(bind === undefined ? {} : { bind_switch: bind ? 1 : 0 }),
    ...(bind === false ? { bind_device: '' } : {}),
    ...(wanted.downloadLimit === undefined ? {} : { download_limit: wanted.downloadLimit }),
    ...(wanted.description === undefined ? {} : { description: wanted.description }),
    ...(wanted.audience === undefined ? {} : { audience: wanted.audience.kind }),
    ...(wanted.needEmail === undefined ? {} : { need_email: wanted.needEmail ? 1 : 0 }),
    ...(wanted.shareEmail === undefined ? {} : { recipients: JSON.stringify(checkedRecipients(wanted.shareEmail)) }),
    ...(wanted.emailLanguage === undefined ? {} : { mail_language: wanted.emailLanguage }),
    ...(wanted.shareEmailContent === undefined ? {} : { mail_text: wanted.shareEmailContent.trim() }),
    ...(wanted.guestForm === undefined ? {} : { guest_form: formText(row.url_type, wanted.guestForm) }),
  }
}

/** @throws AppError PARAMETER_INVALID for a share link, whose guests bring nothing */
function formText(urlType: number, form: GuestForm | null): string | null {
  if (form === null) return null
  if (urlType !== SHARE_URL_TYPE.upload) throw new AppError('PARAMETER_INVALID', { field: 'guestForm' })
  return JSON.stringify(form)
}

/**
 * @throws AppError PARAMETER_INVALID for a share link, whose guests bring nothing; LINK_CHECKSUM_UNSUPPORTED where a file shows
 * before it can be read
 */
function requestText(
  urlType: number,
  request: LinkRequest | null,
  folder: Pick<Found, 'location'> | undefined,
): string | null {
  if (request === null) return null
  if (urlType !== SHARE_URL_TYPE.upload) throw new AppError('PARAMETER_INVALID', { field: 'request' })
  const canCheck = folder?.location.store.capabilities.readableUploads !== false
  if (!canCheck && request.items.some(({ sha256 }) => sha256 !== '')) throw new AppError('LINK_CHECKSUM_UNSUPPORTED')
  return JSON.stringify(request)
}

/** @throws AppError as requestText() */
async function changedRequest(deps: LinksDeps, row: Link, request: LinkRequest | null): Promise<string | null> {
  const folder = request === null ? undefined : await openedFolder(deps, row)
  return requestText(row.url_type, request, folder)
}

/** The folder of an invite link; undefined while it leads nowhere. */
async function openedFolder(deps: LinksDeps, row: Link): Promise<Pick<Found, 'location'> | undefined> {
  const path = sharedIn(row).root
  if (path === undefined) return undefined
  const place = { kind: 'link', linkId: row.id } as const
  try {
    const principal = { kind: 'guest', id: row.id, visitId: '' } as const
    return { location: await deps.files.access.open({ principal }, place, path, 'uploadFile') }
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.status < 500) return undefined
    throw thrown
  }
}

/** @returns it sealed, '' for none; undefined where it stays. @throws AppError LINK_PASSWORD_INVALID */
async function changedPassword(deps: LinksDeps, row: LinkRow, wanted: LinkEdit): Promise<string | undefined> {
  if (wanted.needPassword === false) return ''
  if (wanted.shareUrlPasswd === undefined) {
    if (wanted.needPassword === true && row.password_sealed === '') throw new AppError('LINK_PASSWORD_INVALID')
    return undefined
  }
  const rules = await deps.settings.of(LINK_SETTINGS)
  return deps.vault.seal(SEALED, checkedPassword(wanted.shareUrlPasswd, rules['links.passwordMax']))
}

function changedAliases(row: Link, wanted: readonly FileAlias[]): readonly LinkTargetRow[] {
  // A folder among them is no file to be renamed; a single one is shared by itself and has no names here.
  const names = row.src_type === SHARE_SOURCE_TYPE.folder ? [] : row.targets.map(({ path }) => nameIn(path))
  const aliases = checkedAliases(
    wanted,
    names.map((name) => ({ name, kind: 'file' })),
  )
  return row.targets.map((target) => ({ ...target, alias: aliasFor(nameIn(target.path), aliases) }))
}

function aliasFor(name: string, aliases: readonly FileAlias[]): string {
  return aliases.find(({ file }) => file === name)?.alias ?? ''
}

/** What is to be shared, as the storage has it now. */
interface Selection {
  readonly found: readonly Found[]
  /** Of all of them. */
  readonly place: PlaceIds
  readonly type: number
}

/** @throws AppError PATH_NOT_FOUND, PERMISSION_DENIED, PATH_IS_FILE */
async function sharedBy(deps: LinksDeps, ctx: UserCtx, wanted: CreateLinkInput): Promise<Selection> {
  const isInvite = wanted.shareUrlType === SHARE_URL_TYPE.upload
  const names = [...new Set(wanted.shareFiles)]
  if (isInvite && names.length > 1) throw new AppError('PARAMETER_INVALID', { field: 'shareFiles' })
  const need: Need = isInvite ? 'invite' : 'share'
  if (names.length === 0) {
    const location = await requireFolder(
      await deps.files.access.open(ctx, placeOf(wanted), wanted.shareServerPath, need),
    )
    if (!isInvite) location.require('shareFolder')
    return { found: [await requireEntry(location)], place: location.place, type: SHARE_SOURCE_TYPE.folder }
  }
  const found = await findAll(deps, ctx, { ...wanted, names, need })
  const [only] = found
  const place = only?.location.place ?? wanted
  // A virtual directory is a place of its own.
  if (found.some(({ location }) => location.place.groupId !== place.groupId))
    throw new AppError('PARAMETER_INVALID', { field: 'shareFiles', rule: 'a virtual directory is shared by itself' })
  if (only !== undefined && found.length === 1 && only.entry.kind === 'folder')
    return { found, place, type: SHARE_SOURCE_TYPE.folder }
  if (only === undefined || isInvite) throw new AppError('PATH_IS_FILE')
  return { found, place, type: found.length === 1 ? SHARE_SOURCE_TYPE.file : SHARE_SOURCE_TYPE.files }
}

function entriesOf({ found }: Selection): Entry[] {
  return found.map(({ location, entry }) => ({ name: nameOf(location), kind: entry.kind }))
}

type TargetKey = Pick<LinkTargetRow, 'link_id' | 'at' | 'owner_id' | 'space_id' | 'group_id'>

function targetOf({ location: { path }, entry }: Found, key: TargetKey, aliases: readonly FileAlias[]): LinkTargetRow {
  const there = { is_lost: 0, recycle_id: '', recycled_path: '' }
  const alias = aliasFor(nameIn(path), aliases)
  return { ...key, ...there, path, path_hash: hashOfPath(path), etag: entry.etag, alias }
}

interface Names extends Pick<CreateLinkInput, 'spaceId' | 'groupId' | 'shareServerPath'> {
  readonly names: readonly string[]
  readonly need: Need
}

async function findAll(deps: LinksDeps, ctx: UserCtx, wanted: Names): Promise<Found[]> {
  const { names, need, shareServerPath: folder } = wanted
  const found: Found[] = []
  for (let at = 0; at < names.length; at += LOOKS_AT_ONCE) {
    ctx.signal.throwIfAborted()
    const looks = names.slice(at, at + LOOKS_AT_ONCE).map(async (name) => {
      // A name is one step below the folder, whatever it says.
      if (pathNames(`/${name}`).length !== 1) throw new AppError('NAME_INVALID', { fault: 'forbidden-character' })
      const one = await requireEntry(await deps.files.access.open(ctx, placeOf(wanted), `${folder}/${name}`, need))
      if (one.entry.kind === 'folder' && need === 'share') one.location.require('shareFolder')
      return one
    })
    found.push(...(await Promise.all(looks)))
  }
  return found
}
