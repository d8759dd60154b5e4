/**
 * Everything that a role may allow in the administrator's console. A console route declares one of these; a role is a named
 * set of them. A right that no route asks for yet may already be given: it takes effect with its route.
 */
export const CONSOLE_RIGHTS = [
  'users.view',
  'users.edit',
  'users.import',
  'users.remove',
  'departments.view',
  'departments.edit',
  'groups.view',
  'groups.edit',
  'groups.members',
  'spaces.view',
  'spaces.edit',
  'spaces.members',
  'storages.view',
  'storages.edit',
  'storages.test',
  'links.view',
  'links.disable',
  'links.delete',
  'transfers.view',
  'transfers.control',
  'clients.view',
  'clients.upgrade',
  'policies.view',
  'policies.edit',
  'review.all',
  'quarantine.view',
  'quarantine.release',
  'settings.view',
  'settings.edit',
  'security.edit',
  'design.edit',
  'mail.edit',
  'notices.send',
  'log.view',
  'log.export',
  'statistics.view',
  'server.control',
  'licence.edit',
  'backup.run',
  'recycle.view',
  'recycle.restore',
  'recycle.clear',
  'sessions.view',
  'sessions.end',
  'folders.list',
  'folders.content',
  'certificates.edit',
  'database.edit',
] as const
export type RoleRight = (typeof CONSOLE_RIGHTS)[number]

/** Rights of the super administrator alone; no role may hold them, because each is as good as the host itself. */
export const SUPER_RIGHTS = ['roles.edit', 'backup.restore', 'authentication.edit', 'hooks.edit'] as const
export type SuperRight = (typeof SUPER_RIGHTS)[number]

/** `console.open`: everyone who administers anything, such as one group. */
export type ConsoleRight = RoleRight | SuperRight | 'console.open'

/** Rights that the administrator of one group has in that group. */
export const GROUP_ADMIN_RIGHTS = ['groups.view', 'groups.members'] as const satisfies readonly RoleRight[]
/** Rights that the administrator of one space has in that space. */
export const SPACE_ADMIN_RIGHTS = ['spaces.view', 'spaces.members'] as const satisfies readonly RoleRight[]

/** What of the operation log, and whose folders, an administrator sees: what concerns them, or everything. */
export const CONSOLE_SCOPES = ['own', 'all'] as const
export type ConsoleScope = (typeof CONSOLE_SCOPES)[number]

export function isSuperRight(right: ConsoleRight): right is SuperRight {
  return (SUPER_RIGHTS as readonly ConsoleRight[]).includes(right)
}

/**
 * What somebody is in the console:
 * - super: the one super administrator, who may do everything
 * - role: an administrator with the rights of a role
 * - place: nobody's administrator but that of single groups or spaces
 */
export const CONSOLE_STANDINGS = ['super', 'role', 'place'] as const
export type ConsoleStanding = (typeof CONSOLE_STANDINGS)[number]
