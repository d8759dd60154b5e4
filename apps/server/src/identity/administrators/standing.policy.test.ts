import {
  allRoutes,
  CONSOLE_RIGHTS,
  isSuperRight,
  SUPER_RIGHTS,
  type ConsoleAccess,
  type RoleRight,
  type SuperRight,
} from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { mayCall, mayIn, SUPER_STANDING_RIGHTS, type Standing } from './standing.policy.ts'

const NOTHING: Omit<Standing, 'kind'> = {
  role: null,
  rights: new Set(),
  auditScope: 'own',
  folderScope: 'own',
  spaceIds: [],
  groupIds: [],
}
const SUPER: Standing = { ...NOTHING, kind: 'super', rights: SUPER_STANDING_RIGHTS }
const GROUP: Standing = { ...NOTHING, kind: 'place', groupIds: [3] }
const SPACE: Standing = { ...NOTHING, kind: 'place', spaceIds: [2] }
const role = (...rights: Array<RoleRight | SuperRight>): Standing => ({
  ...NOTHING,
  kind: 'role',
  role: { id: 1, name: 'role' },
  rights: new Set(rights),
})

const consoleRoutes = allRoutes().flatMap(({ feature, name, spec: { access } }) =>
  typeof access === 'object' ? [{ name: `${feature}.${name}`, access: access satisfies ConsoleAccess }] : [],
)

describe('route x role', () => {
  it.each(consoleRoutes)('$name opens to the super administrator and to its own right alone', ({ access }) => {
    expect(mayCall(undefined, access)).toBe(false)
    expect(mayCall(SUPER, access)).toBe(true)
    const isOpen = access.right === 'console.open'
    for (const right of CONSOLE_RIGHTS)
      expect(mayCall(role(right), access), right).toBe(isOpen || right === access.right)
    // A right that no role may hold gives nothing, however it came into one.
    for (const right of SUPER_RIGHTS) expect(mayCall(role(right), access), right).toBe(isOpen)
    const isOfPlace = (rights: readonly string[]) => rights.includes(access.right)
    const inGroup = access.within === 'group' && isOfPlace(['groups.view', 'groups.members'])
    const inSpace = access.within === 'space' && isOfPlace(['spaces.view', 'spaces.members'])
    expect(mayCall(GROUP, access)).toBe(isOpen || inGroup)
    expect(mayCall(SPACE, access)).toBe(isOpen || inSpace)
  })

  it('covers every right that only the super administrator has', () => {
    for (const right of SUPER_RIGHTS) expect(isSuperRight(right)).toBe(true)
    for (const right of CONSOLE_RIGHTS) expect(isSuperRight(right)).toBe(false)
  })

  it('bounds administrators of one place to that place', () => {
    expect(mayIn(GROUP, 'groups.members', { groupId: 3 })).toBe(true)
    expect(mayIn(GROUP, 'groups.members', { groupId: 4 })).toBe(false)
    expect(mayIn(GROUP, 'groups.edit', { groupId: 3 })).toBe(false)
    expect(mayIn(GROUP, 'spaces.members', { spaceId: 3 })).toBe(false)
    expect(mayIn(SPACE, 'spaces.members', { spaceId: 2 })).toBe(true)
    expect(mayIn(SPACE, 'groups.members', { groupId: 2 })).toBe(false)
    expect(mayIn(role('groups.members'), 'groups.members', { groupId: 9 })).toBe(true)
    expect(mayIn(undefined, 'groups.members', { groupId: 3 })).toBe(false)
  })
})
