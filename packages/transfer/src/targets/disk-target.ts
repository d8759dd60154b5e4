import type { KeptAttributes } from '../messages/messages.ts'
import type { CallDisk } from '../workers/disk-requests.ts'
import type { Target } from './target.ts'

/**
 * A folder of a disk as a target.
 * @param call the thread that does the work; its creator stops it
 * @param root absolute path; made when missing
 */
export function diskTarget(call: CallDisk, root: string, keeps: KeptAttributes): Target {
  return {
    keeps,
    look: (paths) => call('look', { root, paths }),
    matches: (spans, hash) => call('matches', { root, spans, hash }),
    // The size of a file with holes does not say how much of the disk it takes.
    freeBytes: async () => (keeps.holes ? undefined : call('freeBytes', { root })),
    open: (task) => call('open', { ...task, root, keeps }),
    write: (request) => call('write', request),
    adopt: (span) => call('adopt', span),
    makeEmpty: (entries) => call('makeEmpty', entries),
    commit: () => call('commit', undefined),
    setAttributes: (entries) => call('setAttributes', { root, entries, keeps }),
    close: (reason) => call('close', reason),
  }
}
