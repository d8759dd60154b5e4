import type { UserInfo } from '@godwit/contract'
import { loadPart } from '../../../lib/load-part.ts'
import type { SourceFile } from './source-file.ts'

/** Files that an account, or a group it works in, does not transfer: by pattern and by size. */
export type TransferRules = Pick<
  UserInfo,
  'transIgnoreRegSwitch' | 'transIgnoreReg' | 'transIgnoreSizeSwitch' | 'transIgnoreSize' | 'transSkipSameName'
>

const MEBIBYTE = 1024 * 1024

/** Inside a group its own rules hold instead of the person's. */
export function rulesFor(user: TransferRules & Pick<UserInfo, 'groupList'>, groupId: number): TransferRules {
  return groupId === 0 ? user : (user.groupList.find((group) => group.groupId === groupId) ?? user)
}

/**
 * Tells which files are left out: those that match a pattern of the semicolon list, and those larger than the ignore size.
 * Patterns are globs as everywhere in Godwit, matched in time linear to the name; one that is no glob matches nothing.
 */
export async function createIgnore(rules: TransferRules): Promise<(file: SourceFile) => boolean> {
  const maxBytes = rules.transIgnoreSizeSwitch === 1 ? rules.transIgnoreSize * MEBIBYTE : Infinity
  const globs = rules.transIgnoreRegSwitch === 1 ? patternsIn(rules.transIgnoreReg) : []
  const matchers = await compiled(globs)
  return ({ file, relativePath }) => file.size > maxBytes || matchers.some((matches) => matches(relativePath))
}

export function patternsIn(list: string): readonly string[] {
  return list
    .split(';')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '')
}

async function compiled(globs: readonly string[]): Promise<ReadonlyArray<(path: string) => boolean>> {
  if (globs.length === 0) return []
  // The matcher is large and most accounts have no pattern.
  const { createFilter } = await loadPart(() => import('@godwit/transfer/filter'))
  return globs.flatMap((glob) => {
    try {
      const filter = createFilter({ exclude: [glob] })
      return [(path: string) => !filter.accepts(path, 0)]
    } catch {
      return [] // Not a pattern: the administrator's form says so, and an upload does not stop for it.
    }
  })
}

/** @returns files that may go, and those that the browser may not send because they are over the limit; 0 is no limit */
export function splitBySize(
  files: readonly SourceFile[],
  limitBytes: number,
): { readonly fitting: readonly SourceFile[]; readonly tooLarge: readonly SourceFile[] } {
  const isTooLarge = ({ file, isIgnored }: SourceFile): boolean =>
    limitBytes > 0 && isIgnored !== true && file.size > limitBytes
  return { fitting: files.filter((file) => !isTooLarge(file)), tooLarge: files.filter(isTooLarge) }
}
