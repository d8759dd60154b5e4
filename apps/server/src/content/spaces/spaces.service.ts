import type { Clock } from '@godwit/base'
import { LIMITS, type SpaceInfo } from '@godwit/contract'
import { membershipsStore } from '../../identity/memberships/index.ts'
import type { Account } from '../../identity/principals/index.ts'
import { inTransaction, isDuplicate, type Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { MemberRulesDeps } from './member-rules.ts'
import type { SpaceRow } from './spaces.schema.ts'
import { SPACE_SETTINGS } from './spaces.settings.ts'
import { spacesStore } from './spaces.store.ts'

export interface SpacesDeps {
  readonly db: Db
  readonly clock: Clock
}

/** Known by id and flag, never by its name, which the page translates. */
export const DEFAULT_SPACE: SpaceInfo = { id: LIMITS.defaultSpaceId, spaceName: 'Default', isDefault: true }

const NAME_MAX = 64
const TRIES = 5

export async function allSpaces(db: Db): Promise<SpaceInfo[]> {
  const others = (await spacesStore.all(db)).filter(isThere)
  return [DEFAULT_SPACE, ...others.map(({ id, name }) => ({ id, spaceName: name, isDefault: false }))]
}

/** The spaces of one account. */
export interface OwnSpaces {
  readonly spaces: SpaceInfo[]
  /** The one it works in; 0 without any. */
  readonly currentSpaceId: number
  /** The one it works in before it has chosen, and its desktop client where nobody says another; 0 without any. */
  readonly defaultSpaceId: number
}

/** @param first where the site lets everybody begin who is in it */
export async function spacesOf(db: Db, userId: string, first: number = LIMITS.defaultSpaceId): Promise<OwnSpaces> {
  const memberships = await membershipsStore.ofUser(db, userId)
  const ids = new Set(memberships.map(({ space_id: id }) => id))
  const spaces = (await allSpaces(db)).filter(({ id }) => ids.has(id))
  const chosen = memberships.find((row) => row.chosen === 1)?.space_id
  const defaultSpaceId = ids.has(first) ? first : (spaces[0]?.id ?? 0)
  return { spaces, currentSpaceId: chosen ?? defaultSpaceId, defaultSpaceId }
}

/** The spaces of an account; it works by default in the one in which the site lets everybody begin. */
export async function ownSpacesOf({ db, settings }: MemberRulesDeps, userId: string): Promise<OwnSpaces> {
  const { 'menu.space.spaceId': first } = await settings.of(SPACE_SETTINGS)
  return spacesOf(db, userId, first)
}

/** @throws AppError NO_SPACE, also for a space that does not exist */
export function requireMember(account: Pick<Account, 'spaceIds'>, spaceId: number): void {
  if (!account.spaceIds.includes(spaceId)) throw new AppError('NO_SPACE')
}

/** Remembers where an account works. @throws AppError NO_SPACE */
export async function chooseSpace(db: Db, userId: string, spaceId: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    // Thrown inside, so that the space chosen before stays.
    if (!(await membershipsStore.choose(tx, userId, spaceId))) throw new AppError('NO_SPACE')
  })
}

function isThere({ id, removed_at: removedAt }: SpaceRow): boolean {
  return id !== LIMITS.defaultSpaceId && removedAt === null
}

/** @throws AppError PARAMETER_INVALID */
export function spaceName(wanted: string): Pick<SpaceRow, 'name' | 'name_key'> {
  const name = wanted.normalize('NFC').trim()
  if (name === '' || name.length > NAME_MAX || /[\p{Cc}\p{Cs}]/u.test(name)) {
    throw new AppError('PARAMETER_INVALID', { field: 'name', rule: `1 to ${NAME_MAX} characters of one line` })
  }
  return { name, name_key: name.normalize('NFKC').toLowerCase() }
}

/** @throws AppError PARAMETER_INVALID, SPACE_NAME_DUPLICATE */
export async function addSpace({ db, clock }: SpacesDeps, wanted: string): Promise<SpaceInfo> {
  const { name, name_key } = spaceName(wanted)
  for (let attempt = 1; ; attempt++) {
    const spaces = await spacesStore.all(db)
    if (spaces.some((space) => space.name_key === name_key)) throw new AppError('SPACE_NAME_DUPLICATE')
    const row: SpaceRow = {
      ...{ id: nextId(spaces), name, name_key },
      ...{ created_at: clock.now(), revision: 1, removed_at: null },
    }
    try {
      await spacesStore.insert(db, row)
      return { id: row.id, spaceName: name, isDefault: false }
    } catch (thrown) {
      // Somebody else took the number or the name meanwhile.
      if (!isDuplicate(thrown) || attempt === TRIES) throw thrown
    }
  }
}

function nextId(spaces: readonly SpaceRow[]): number {
  return Math.max(LIMITS.defaultSpaceId, ...spaces.map(({ id }) => id)) + 1
}

/** Makes an account a member, or no longer one. @throws AppError SPACE_NOT_FOUND */
export async function setMember(
  { db }: Pick<SpacesDeps, 'db'>,
  { userId, spaceId }: { readonly userId: string; readonly spaceId: number },
  isMember: boolean,
): Promise<void> {
  if (!(await allSpaces(db)).some(({ id }) => id === spaceId)) throw new AppError('SPACE_NOT_FOUND')
  await inTransaction(db, async (tx) => {
    const isNow = (await membershipsStore.ofUser(tx, userId)).some((row) => row.space_id === spaceId)
    if (isMember && !isNow) await membershipsStore.add(tx, userId, spaceId)
    if (!isMember) await membershipsStore.remove(tx, userId, spaceId)
  })
}
