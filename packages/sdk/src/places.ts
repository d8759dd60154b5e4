import { failed } from './failures.ts'

/** Whose files: a space, and in it one's own files (0) or those of a group. */
export interface Place {
  /** Default 1. */
  readonly spaceId?: number
  /** Default 0. */
  readonly groupId?: number
}

export function idsOf({ spaceId = 1, groupId = 0 }: Place): { readonly spaceId: number; readonly groupId: number } {
  return { spaceId, groupId }
}

/** @throws ApiError NAME_INVALID when it is no absolute path of a file */
export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const at = path.lastIndexOf('/')
  const name = path.slice(at + 1)
  if (!path.startsWith('/') || name === '')
    throw failed('NAME_INVALID', `a path begins with a slash and ends with a name: ${path}`)
  return { folder: at === 0 ? '/' : path.slice(0, at), name }
}
