import { hasPermission, PERMISSION, type Permission } from '@godwit/contract/permissions'

/** In the order people read them; the two unused flags are nobody's to choose. */
export const GRANTABLE = [
  'list',
  'download',
  'upload',
  'mkdir',
  'rename',
  'move',
  'copy',
  'delete',
  'share',
  'invite',
  'hotFolder',
] as const satisfies readonly Permission[]
export type Grantable = (typeof GRANTABLE)[number]

export function grantableOf(set: number): readonly Grantable[] {
  return GRANTABLE.filter((permission) => hasPermission(set, permission))
}

export function permissionSet(chosen: Iterable<Grantable>): number {
  return [...chosen].reduce((sum, permission) => sum | PERMISSION[permission], 0)
}
