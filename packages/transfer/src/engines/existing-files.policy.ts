import type { ManifestEntry } from '../manifests/entry.ts'
import type { ExistingPolicy, Verdict } from '../messages/messages.ts'
import type { VisibleEntry } from '../targets/target.ts'

/** What to do with a file or link that is to be received, given what is visible under its name. Times have whole milliseconds. */
export function verdictOn(
  policy: ExistingPolicy,
  entry: Pick<ManifestEntry, 'kind' | 'size' | 'mtimeMs'>,
  existing: VisibleEntry | undefined,
): Verdict {
  if (existing === undefined) return 'new'
  const isFile = entry.kind === 'file' && existing.kind === 'file'
  if (isFile && existing.size === entry.size && existing.mtimeMs === entry.mtimeMs) return 'same'
  if (policy === 'keep-existing') return 'existing'
  return policy !== 'overwrite' && isFile && existing.mtimeMs > entry.mtimeMs ? 'newer' : 'replaced'
}

/** The existing file stays, so no byte of the new one is wanted. */
export function isLeft(verdict: Verdict): boolean {
  return verdict === 'same' || verdict === 'newer' || verdict === 'existing'
}

/** Keeping a newer file was not requested, so the user has to decide. */
export function isFailure(policy: ExistingPolicy, verdict: Verdict): boolean {
  return policy === 'keep-newer' && verdict === 'newer'
}

export type VerdictCounts = Record<Verdict, number>

export function noVerdicts(): VerdictCounts {
  return { new: 0, replaced: 0, same: 0, newer: 0, existing: 0 }
}
