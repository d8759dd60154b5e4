import {
  CONSOLE_RIGHTS,
  GROUP_ADMIN_RIGHTS,
  isSuperRight,
  SPACE_ADMIN_RIGHTS,
  SUPER_RIGHTS,
  type ConsoleAccess,
  type ConsoleRight,
  type ConsoleScope,
  type RoleRight,
  type SuperRight,
} from '@godwit/contract'

/** What an account may do in the console. */
export interface Standing {
  readonly kind: 'super' | 'role' | 'place'
  readonly role: { readonly id: number; readonly name: string } | null
  /** Over the whole site. */
  readonly rights: ReadonlySet<RoleRight | SuperRight>
  readonly auditScope: ConsoleScope
  readonly folderScope: ConsoleScope
  /** Administered by itself, besides `rights`. */
  readonly spaceIds: readonly number[]
  readonly groupIds: readonly number[]
}

export const SUPER_STANDING_RIGHTS: ReadonlySet<RoleRight | SuperRight> = new Set([...CONSOLE_RIGHTS, ...SUPER_RIGHTS])

/** Whether somebody may call a console route at all. About which place, the handler checks with {@link mayIn}. */
export function mayCall(standing: Standing | undefined, { right, within }: ConsoleAccess): boolean {
  if (standing === undefined) return false
  if (right === 'console.open' || hasRight(standing, right)) return true
  if (within === 'group') return standing.groupIds.length > 0 && isOf(GROUP_ADMIN_RIGHTS, right)
  if (within === 'space') return standing.spaceIds.length > 0 && isOf(SPACE_ADMIN_RIGHTS, right)
  return false
}

/** Whether somebody has a right in one group or space: over the whole site, or as its own administrator. */
export function mayIn(
  standing: Standing | undefined,
  right: RoleRight,
  place: { readonly groupId?: number; readonly spaceId?: number },
): boolean {
  if (standing === undefined) return false
  if (hasRight(standing, right)) return true
  const { groupId, spaceId } = place
  if (groupId !== undefined && standing.groupIds.includes(groupId)) return isOf(GROUP_ADMIN_RIGHTS, right)
  return spaceId !== undefined && standing.spaceIds.includes(spaceId) && isOf(SPACE_ADMIN_RIGHTS, right)
}

function hasRight({ kind, rights }: Standing, right: RoleRight | SuperRight): boolean {
  return isSuperRight(right) ? kind === 'super' : kind === 'super' || rights.has(right)
}

function isOf(rights: readonly RoleRight[], right: ConsoleRight): boolean {
  return (rights as readonly ConsoleRight[]).includes(right)
}
