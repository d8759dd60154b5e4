import type { LockedChange } from '../../file-locks/index.ts'
import type { Step } from './step.ts'

/** What locks of others may forbid of a step. */
export function lockedChanges({ kind, from, to, replaced }: Step): readonly LockedChange[] {
  const arrives: LockedChange = { key: to, what: replaced === undefined ? 'member' : 'content' }
  switch (kind) {
    case 'make':
    case 'copy':
    case 'restore':
      return [arrives]
    case 'revert':
      return [{ key: to, what: 'content' }]
    case 'recycle':
      return [{ key: from, what: 'tree' }]
    case 'rename':
    case 'move':
      return [{ key: from, what: 'tree' }, arrives]
    default:
      return kind satisfies never
  }
}
