import type { ErrorName } from '@godwit/contract/errors/catalogue'
import type { ConflictChoice } from '../conflicts/index.ts'

/** What can be done about a problem differs by its kind. */
export const PROBLEM_KINDS = ['taken', 'case', 'name', 'type', 'size', 'refused'] as const
export type ProblemKind = (typeof PROBLEM_KINDS)[number]

/** A file of a drop that cannot go as it is. */
export interface Problem {
  /** Below the target folder. */
  readonly path: string
  readonly kind: ProblemKind
  /** What its upload would be refused with. */
  readonly error: unknown
  readonly size: number
  /** What has the name, where it is taken. */
  readonly existing: { readonly isFolder: boolean; readonly size: number; readonly time: number } | undefined
}

/** What becomes of a file: it stays here, or goes as chosen, or goes under another name. */
export type Fix = { readonly choice: ConflictChoice } | { readonly rename: string }

export const SKIP: Fix = { choice: 'skip' }

/** A drop that needs a person before its first byte. */
export interface Preflight {
  readonly problems: readonly Problem[]
  readonly files: number
  readonly bytes: number
  /** Bytes that the quota leaves; null without one. */
  readonly quotaLeftBytes: number | null
  readonly isStorageFull: boolean
  /** Bytes a second of earlier uploads; undefined before there were any. */
  readonly rate: number | undefined
}

/** By the path of the problem; undefined when the question was closed. */
export type Fixes = ReadonlyMap<string, Fix> | undefined

const KINDS: Partial<Record<ErrorName, ProblemKind>> = {
  PATH_EXISTS: 'taken',
  NAME_CASE_CLASH: 'case',
  NAME_INVALID: 'name',
  PATH_TOO_LONG: 'name',
  FILE_TYPE_NOT_ALLOWED: 'type',
  UPLOAD_TOO_LARGE: 'size',
}

export function kindOf(name: string): ProblemKind {
  return KINDS[name as ErrorName] ?? 'refused'
}
