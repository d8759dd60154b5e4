import { CONSOLE_RIGHTS, type ConsoleScope, type RoleRight } from '@godwit/contract'
import type { Db } from '../../kernel/db/index.ts'
import { groupsStore } from '../groups/index.ts'
import { membershipsStore } from '../memberships/index.ts'
import type { UserRow } from '../users/index.ts'
import type { RoleRow } from './administrators.schema.ts'
import { administratorsStore } from './administrators.store.ts'
import { SUPER_STANDING_RIGHTS, type Standing } from './standing.policy.ts'

/** @returns undefined for an account that administers nothing */
export async function loadStanding(db: Db, user: UserRow): Promise<Standing | undefined> {
  const [memberships, groupIds] = [
    await membershipsStore.ofUser(db, user.id),
    await groupsStore.administeredBy(db, user.id),
  ]
  const places = { spaceIds: memberships.filter((row) => row.is_admin === 1).map((row) => row.space_id), groupIds }
  if (user.is_super === 1) {
    return {
      kind: 'super',
      role: null,
      rights: SUPER_STANDING_RIGHTS,
      auditScope: 'all',
      folderScope: 'all',
      ...places,
    }
  }
  const role = user.is_admin === 1 ? await administratorsStore.roleOf(db, user.id) : undefined
  if (role !== undefined) {
    const { id, name, audit_scope: audit, folder_scope: folder } = role
    const scopes = { auditScope: scopeOf(audit), folderScope: scopeOf(folder) }
    return { kind: 'role', role: { id, name }, rights: new Set(rightsOf(role)), ...scopes, ...places }
  }
  const isPlaceless = places.spaceIds.length === 0 && places.groupIds.length === 0
  return isPlaceless
    ? undefined
    : { kind: 'place', role: null, rights: new Set(), auditScope: 'own', folderScope: 'own', ...places }
}

/** Rights of a role; what a later version took off the list is passed over. */
export function rightsOf({ rights }: Pick<RoleRow, 'rights'>): RoleRight[] {
  const held: unknown = JSON.parse(rights)
  return Array.isArray(held) ? CONSOLE_RIGHTS.filter((right) => held.includes(right)) : []
}

export function scopeOf(text: string): ConsoleScope {
  return text === 'all' ? 'all' : 'own'
}
