import type { CallDisk } from '../workers/disk-requests.ts'
import type { Target } from './target.ts'

/**
 * A folder of a disk as a target.
 * @param call the thread that does the work; whoever started it stops it
 * @param root absolute path; made when missing
 */
export function diskTarget(call: CallDisk, root: string): Target {
  return {
    open: (task) => call('open', { ...task, root }),
    write: (request) => call('write', request),
    adopt: (span) => call('adopt', span),
    makeEmpty: (entries) => call('makeEmpty', entries),
    commit: () => call('commit', undefined),
    close: (reason) => call('close', reason),
  }
}
