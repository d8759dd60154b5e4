import { LIMITS } from '@godwit/contract'
import { storagesStore } from '../../foundation/storages/index.ts'
import { groupsStore } from '../../identity/groups/index.ts'
import { membershipsStore, spaceRulesStore } from '../../identity/memberships/index.ts'
import { inTransaction, isDuplicate, type Db, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { SpaceRow } from './spaces.schema.ts'
import { spaceName, type SpacesDeps } from './spaces.service.ts'
import { spacesStore } from './spaces.store.ts'

/** Storages of a space; new places are made on the default one. */
export interface SpaceStorages {
  readonly ids: readonly number[]
  /** Undefined: those of the first space serve this one. */
  readonly defaultId: number | undefined
}

export interface SpaceChange {
  /** The one that the change began from. */
  readonly revision: number
  readonly name?: string | undefined
  readonly storages?: SpaceStorages | undefined
}

/** Writes down what changed, in the transaction of the change. */
type OnChange = (tx: Tx, space: SpaceRow) => Promise<void>

/** @throws AppError SPACE_NOT_FOUND */
export async function spaceRow(db: Db | Tx, id: number): Promise<SpaceRow> {
  const row = (await spacesStore.all(db)).find((space) => space.id === id && space.removed_at === null)
  if (row === undefined) throw new AppError('SPACE_NOT_FOUND')
  return row
}

/**
 * Renames a space or gives it other storages; places that exist stay where they are.
 * @returns false when somebody else saved first; nothing is changed then
 * @throws AppError SPACE_NOT_FOUND, SPACE_NAME_DUPLICATE, SPACE_NEEDS_STORAGE, STORAGE_NOT_FOUND, PARAMETER_INVALID
 */
export async function editSpace(
  { db }: Pick<SpacesDeps, 'db'>,
  { id, change }: { readonly id: number; readonly change: SpaceChange },
  onChange: OnChange,
): Promise<boolean> {
  const { revision, name, storages } = change
  if (name !== undefined && id === LIMITS.defaultSpaceId)
    throw new AppError('PARAMETER_INVALID', { field: 'name', rule: 'is fixed for the first space' })
  const columns = name === undefined ? {} : spaceName(name)
  try {
    return await inTransaction(db, async (tx) => {
      const row = await spaceRow(tx, id)
      if (!(await spacesStore.changeAt(tx, { id, revision }, columns))) return false
      if (storages !== undefined) await setStorages(tx, id, storages)
      await onChange(tx, row)
      return true
    })
  } catch (thrown) {
    if (isDuplicate(thrown)) throw new AppError('SPACE_NAME_DUPLICATE', undefined, { cause: thrown })
    throw thrown
  }
}

/** @throws AppError SPACE_NEEDS_STORAGE, STORAGE_NOT_FOUND */
export async function setStorages(tx: Tx, spaceId: number, { ids, defaultId }: SpaceStorages): Promise<void> {
  const wanted = new Set(defaultId === undefined ? ids : [...ids, defaultId])
  const needsOne = spaceId === LIMITS.defaultSpaceId || wanted.size > 0
  if (needsOne && defaultId === undefined) throw new AppError('SPACE_NEEDS_STORAGE')
  const known = new Set((await storagesStore.all(tx)).map(({ id }) => id))
  for (const id of wanted) if (!known.has(id)) throw new AppError('STORAGE_NOT_FOUND')
  await storagesStore.unuseAll(tx, spaceId)
  for (const id of wanted)
    await storagesStore.use(tx, { space_id: spaceId, storage_id: id, is_default: id === defaultId ? 1 : 0 })
}

/**
 * Removes a space without groups. Memberships end; what is in the space stays on its storages, and nobody reaches it again.
 * @returns whose memberships ended
 * @throws AppError SPACE_NOT_FOUND, SPACE_DEFAULT_UNDELETABLE, SPACE_HAS_GROUPS
 */
export async function removeSpace(
  { db, clock }: SpacesDeps,
  id: number,
  onChange: OnChange,
): Promise<readonly string[]> {
  return inTransaction(db, async (tx) => {
    const row = await spaceRow(tx, id)
    if (id === LIMITS.defaultSpaceId) throw new AppError('SPACE_DEFAULT_UNDELETABLE')
    const groups = (await groupsStore.all(tx)).filter((group) => group.space_id === id).map(({ name }) => name)
    if (groups.length > 0) throw new AppError('SPACE_HAS_GROUPS', { groups: groups.slice(0, GROUPS_NAMED) })
    // No name has a line break, so this key is nobody's.
    const removed = { removed_at: clock.now(), name_key: `removed\n${id}` }
    if (!(await spacesStore.changeAt(tx, row, removed))) throw new AppError('SPACE_NOT_FOUND')
    await storagesStore.unuseAll(tx, id)
    await storagesStore.removePlaces(tx, id)
    const members = await membershipsStore.removeAll(tx, id)
    await spaceRulesStore.remove(tx, id)
    await onChange(tx, row)
    return members
  })
}

const GROUPS_NAMED = 5
