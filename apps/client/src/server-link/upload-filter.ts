import { MiB } from '@godwit/base'
import type { TransferTicket } from '@godwit/contract'
import { createFilter } from '@godwit/transfer/filter'

/** Globs of files that are not sent, the largest size that is, and whether a file whose name is taken stays out. */
export interface UploadFilter {
  readonly exclude: readonly string[]
  readonly maxBytes: number | undefined
  readonly skipsSameName: boolean
  /** Nothing may be left out beyond that. */
  readonly isLocked: boolean
}

type FilterRules = TransferTicket['rules']

interface FilteredUser extends FilterRules {
  readonly groupList: ReadonlyArray<FilterRules & { readonly groupId: number }>
}

/** What an account leaves out of its uploads; inside a group the rules of the group hold in place of its own. */
export function uploadFilter(user: FilteredUser, groupId: number): UploadFilter {
  return filterOfRules(user.groupList.find((group) => group.groupId === groupId) ?? user)
}

export function filterOfRules(rules: FilterRules): UploadFilter {
  return {
    // What is no pattern leaves nothing out, in the browser as well.
    exclude: rules.transIgnoreRegSwitch === 1 ? globsIn(rules.transIgnoreReg).filter(isGlob) : [],
    maxBytes: rules.transIgnoreSizeSwitch === 1 ? rules.transIgnoreSize * MiB : undefined,
    skipsSameName: rules.transSkipSameName === 1,
    isLocked: rules.forbidClientFilterSwitch === 1,
  }
}

/** The patterns of a semicolon list. */
export function globsIn(list: string): readonly string[] {
  return list
    .split(';')
    .map((glob) => glob.trim())
    .filter((glob) => glob !== '')
}

export function isGlob(glob: string): boolean {
  try {
    createFilter({ exclude: [glob] })
    return true
  } catch {
    return false
  }
}
