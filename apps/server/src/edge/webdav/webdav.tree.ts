import { LIMITS } from '@godwit/contract'
import type { PlaceIds } from '../../content/access/index.ts'
import { allSpaces } from '../../content/spaces/index.ts'
import { groupsStore } from '../../identity/groups/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'

/** A folder that only leads to places; nothing can be made in it. */
export interface VirtualFolder {
  readonly kind: 'virtual'
  readonly names: readonly string[]
  readonly children: readonly string[]
}

/** Something in the files of a person or a group. */
export interface InPlace {
  readonly kind: 'place'
  readonly ids: PlaceIds
  /** Names from the top of the tree to the root of the place. */
  readonly root: readonly string[]
  /** Names below that. */
  readonly below: readonly string[]
  /** The same as a path inside the place. */
  readonly path: string
}

export type Node = VirtualFolder | InPlace

/** Of a name in the tree. */
const PERSONAL = 'personal'
const GROUPS = 'groups'
const SPACES = 'spaces'

/**
 * The tree as a person sees it: `personal`, `groups/NAME` of the default space, and `spaces/NAME/…` of the others. What the person
 * is no member of is not there.
 * @throws AppError PATH_NOT_FOUND
 */
export async function nodeAt(db: Db, ctx: UserCtx, names: readonly string[]): Promise<Node> {
  const { spaceIds } = ctx.principal.account
  const [first] = names
  if (first === SPACES) return inSpaces(db, ctx, names)
  if (!spaceIds.includes(LIMITS.defaultSpaceId)) {
    if (names.length > 0) throw new AppError('PATH_NOT_FOUND')
    return { kind: 'virtual', names, children: spaceIds.length > 0 ? [SPACES] : [] }
  }
  const others = spaceIds.some((id) => id !== LIMITS.defaultSpaceId) ? [SPACES] : []
  return inSpace(db, ctx, { spaceId: LIMITS.defaultSpaceId, root: [], names, more: others })
}

interface InSpace {
  readonly spaceId: number
  /** Where the space begins. */
  readonly root: readonly string[]
  readonly names: readonly string[]
  readonly more: readonly string[]
}

async function inSpaces(db: Db, ctx: UserCtx, names: readonly string[]): Promise<Node> {
  const [, name] = names
  const { spaceIds } = ctx.principal.account
  const mine = (await allSpaces(db)).filter(({ id, isDefault }) => !isDefault && spaceIds.includes(id))
  const named = shownNames(mine.map(({ id, spaceName }) => ({ id, name: spaceName })))
  if (mine.length === 0) throw new AppError('PATH_NOT_FOUND')
  if (name === undefined) return { kind: 'virtual', names, children: [...named.keys()] }
  const spaceId = named.get(name.normalize('NFC'))
  if (spaceId === undefined) throw new AppError('PATH_NOT_FOUND')
  return inSpace(db, ctx, { spaceId, root: names.slice(0, 2), names, more: [] })
}

async function inSpace(db: Db, ctx: UserCtx, { spaceId, root, names, more }: InSpace): Promise<Node> {
  const [kind, name] = names.slice(root.length)
  if (kind === undefined) return { kind: 'virtual', names, children: [PERSONAL, GROUPS, ...more] }
  if (kind === PERSONAL) return placed({ spaceId, groupId: LIMITS.defaultGroupId }, [...root, PERSONAL], names)
  if (kind !== GROUPS) throw new AppError('PATH_NOT_FOUND')
  const groups = await groupsStore.membershipsOf(db, { userId: ctx.principal.id, spaceId })
  const named = shownNames(groups)
  if (name === undefined) return { kind: 'virtual', names, children: [...named.keys()] }
  const groupId = named.get(name.normalize('NFC'))
  if (groupId === undefined) throw new AppError('PATH_NOT_FOUND')
  return placed({ spaceId, groupId }, names.slice(0, root.length + 2), names)
}

function placed(ids: PlaceIds, root: readonly string[], names: readonly string[]): InPlace {
  const below = names.slice(root.length)
  return { kind: 'place', ids, root, below, path: `/${below.join('/')}` }
}

/** Names that can stand in a path, each once. */
function shownNames(items: ReadonlyArray<{ readonly id: number; readonly name: string }>): ReadonlyMap<string, number> {
  const shown = new Map<string, number>()
  for (const { id, name } of items.toSorted((a, b) => a.id - b.id)) {
    const plain = name.normalize('NFC').replaceAll(/[/\\\0]/g, '_')
    const isTaken = shown.has(plain) || plain === '.' || plain === '..'
    shown.set(isTaken ? `${plain} (${id})` : plain, id)
  }
  return shown
}
