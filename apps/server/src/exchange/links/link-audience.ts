import type { CreateLinkInput, EditLinkInput, LinkGroup, LinkPerson, WantedAudience } from '@godwit/contract'
import { groupsStore } from '../../identity/groups/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import { foldCase, isUsable, usersSearch, usersStore } from '../../identity/users/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import type { Db, Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { audienceStore, type Named } from './link-audience.store.ts'
import type { LinksDeps } from './links.deps.ts'
import type { LinkRow } from './links.schema.ts'
import { LINK_SETTINGS } from './links.settings.ts'

const NOBODY: Named = { userIds: [], groupIds: [] }
/** People that a search gives. */
const PEOPLE_FOUND = 20

/** Whether a link is for people of the site, who sign in, and not for whoever has its address. */
export function isInside({ audience }: Pick<LinkRow, 'audience'>): boolean {
  return audience !== 'anyone'
}

/** Whether an account is among those that a link for people of the site is for. Asked at each step of a visit. */
export async function isFor(
  { db, clock }: Pick<LinksDeps, 'db' | 'clock'>,
  row: Pick<LinkRow, 'id' | 'audience' | 'owner_id'>,
  userId: string,
): Promise<boolean> {
  const user = userId === '' ? undefined : await usersStore.byId(db, userId)
  if (user === undefined || !isUsable(user, clock.now())) return false
  if (row.audience === 'everyone' || row.owner_id === userId) return true
  return row.audience === 'named' && audienceStore.includes(db, row.id, userId)
}

const SIGNED_IN = {
  ...{ needPassword: false, shareUrlPasswd: '', needEmail: false, bindSwitch: false, guestForm: null },
  shareEmail: [] as string[],
}

/** What an owner asks of a link; without what only guests are asked when it is for people who sign in. */
export function withoutGuestTerms<Terms extends CreateLinkInput | EditLinkInput>(
  wanted: Terms,
  isForSignedIn: boolean,
): Terms {
  return isForSignedIn ? { ...wanted, ...SIGNED_IN } : wanted
}

/**
 * Those whom the caller wants to name. Who was named before stays so; others have to be people whom the caller can find.
 * @throws AppError LINK_PERSON_UNKNOWN
 */
export async function checkedNames(
  deps: Pick<LinksDeps, 'db' | 'clock'>,
  ctx: UserCtx,
  { kind, ...wanted }: WantedAudience,
  known: Named = NOBODY,
): Promise<Named> {
  if (kind !== 'named') return NOBODY
  const userIds = [...new Set(wanted.userIds)]
  const groupIds = [...new Set(wanted.groupIds)]
  const newIds = userIds.filter((id) => !known.userIds.includes(id))
  const found = await usersSearch.inSpaces(deps.db, { ids: newIds, ...sight(deps, ctx) })
  if (found.length < newIds.length) throw new AppError('LINK_PERSON_UNKNOWN')
  const own = await groupsOf(deps.db, ctx)
  const isNew = (id: number): boolean => !known.groupIds.includes(id)
  if (groupIds.some((id) => isNew(id) && !own.some((group) => group.id === id)))
    throw new AppError('LINK_PERSON_UNKNOWN')
  return { userIds, groupIds }
}

/**
 * Notes whom a link names, within the transaction of its change; `link.shared` names those who are new.
 * @returns accounts whose list of links is another one now
 */
export async function keepAudience(
  { outbox, clock }: Pick<LinksDeps, 'outbox' | 'clock'>,
  tx: Tx,
  { row, named }: { readonly row: LinkRow; readonly named: Named },
): Promise<readonly string[]> {
  const before = await audienceStore.namedBy(tx, row.id)
  await audienceStore.put(tx, row.id, named)
  const added: Named = {
    userIds: named.userIds.filter((id) => !before.userIds.includes(id)),
    groupIds: named.groupIds.filter((id) => !before.groupIds.includes(id)),
  }
  if (added.userIds.length + added.groupIds.length > 0) {
    const account = (await usersStore.byId(tx, row.owner_id))?.account ?? ''
    const facts = { linkId: row.id, userId: row.owner_id, account, name: row.label }
    const { userIds, groupIds } = added
    await outbox.add(tx, 'link.shared', { ...facts, userIds: [...userIds], groupIds: [...groupIds], at: clock.now() })
  }
  return accountsIn(tx, {
    userIds: [...before.userIds, ...named.userIds],
    groupIds: [...before.groupIds, ...named.groupIds],
  })
}

/** Accounts that have a link in their list because it names them or a group of theirs. */
export async function readersOf(tx: Tx, row: Pick<LinkRow, 'id' | 'audience'>): Promise<readonly string[]> {
  return row.audience === 'named' ? accountsIn(tx, await audienceStore.namedBy(tx, row.id)) : []
}

async function accountsIn(tx: Tx, { userIds, groupIds }: Named): Promise<readonly string[]> {
  const accounts = new Set(userIds)
  for (const groupId of new Set(groupIds))
    for (const { user_id: id } of await groupsStore.rightsOf(tx, groupId)) accounts.add(id)
  return [...accounts]
}

/** Whom the caller may name: people by part of what they are called, and groups of the caller's own. */
export async function findPeople(
  deps: Pick<LinksDeps, 'db' | 'clock' | 'settings'>,
  ctx: UserCtx,
  keyword: string,
): Promise<{ readonly users: LinkPerson[]; readonly groups: LinkGroup[] }> {
  const { 'links.findPeople': isOpen } = await deps.settings.of(LINK_SETTINGS)
  const text = foldCase(keyword)
  const groups = (await groupsOf(deps.db, ctx)).filter(({ name }) => foldCase(name).includes(text))
  if (text === '') return { users: [], groups }
  const way = isOpen === 1 ? { text } : { account: text }
  const found = await usersSearch.inSpaces(deps.db, { ...way, ...sight(deps, ctx), limit: PEOPLE_FOUND })
  return { users: found.map(({ id, account, name }) => ({ id, account, name })), groups }
}

/** People of the caller's own spaces, who may sign in, and not the caller. */
function sight({ clock }: Pick<LinksDeps, 'clock'>, { principal }: UserCtx) {
  return { spaceIds: accountOf(principal).spaceIds, except: principal.id, now: clock.now() }
}

async function groupsOf(db: Db, { principal }: UserCtx): Promise<LinkGroup[]> {
  return (await groupsStore.namesOf(db, [principal.id])).map(({ id, name }) => ({ id, name }))
}
