import { fileOperations } from '@godwit/contract'
import { operation, type Operation } from '../../kernel/endpoint.ts'
import type { JobHandlers } from '../../kernel/queue/index.ts'
import type { FileProgress } from '../files/index.ts'
import type { RecycleDeps } from './recycle.deps.ts'
import { runPurge, startPurge, type PurgePayload } from './recycle.purge.ts'
import { bookRestored, runRestore, startRestore, type RestorePayload } from './recycle.restore.ts'
import { bookRecycled, listRecycled, runRemove, startRemove, type RemovePayload } from './recycle.service.ts'

declare module '../../kernel/queue/jobs.ts' {
  interface Jobs {
    readonly remove: { readonly payload: RemovePayload; readonly progress: FileProgress }
    readonly restore: { readonly payload: RestorePayload; readonly progress: FileProgress }
    readonly purge: { readonly payload: PurgePayload; readonly progress: FileProgress }
  }
}

export function recycleJobs(deps: RecycleDeps): JobHandlers {
  return {
    remove: (job, run) => runRemove(deps, job, run),
    restore: (job, run) => runRestore(deps, job, run),
    purge: (job, run) => runPurge(deps, job, run),
  }
}

/** What the bin keeps of removals and restores, in the transaction of their books. */
export function bookRecycleSteps(deps: RecycleDeps): void {
  const { steps } = deps.files
  steps.onBook('recycle', bookRecycled(deps))
  steps.onBook('restore', bookRestored)
}

export function recycleOperations(deps: RecycleDeps): Operation[] {
  return [
    operation(fileOperations.remove, (ctx, request) => startRemove(deps, ctx, request)),
    operation(fileOperations.recycled, (ctx, request) => listRecycled(deps, ctx, request)),
    operation(fileOperations.restore, (ctx, request) => startRestore(deps, ctx, request)),
    operation(fileOperations.purge, (ctx, request) => startPurge(deps, ctx, request)),
  ]
}
