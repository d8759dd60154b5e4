import { fileOperations } from '@godwit/contract'
import { operation, type Operation } from '../../kernel/endpoint.ts'
import {
  listRecycled,
  runPurge,
  runRemove,
  runRestore,
  startPurge,
  startRemove,
  startRestore,
  type RecycleDeps,
} from './recycle.service.ts'

export { purgeDue, type RecycleDeps } from './recycle.service.ts'

export function recycleOperations(deps: RecycleDeps): Operation[] {
  deps.queue.handle('remove', (job, run) => runRemove(deps, job as never, run as never))
  deps.queue.handle('restore', (job, run) => runRestore(deps, job as never, run as never))
  deps.queue.handle('purge', (job, run) => runPurge(deps, job as never, run as never))
  return [
    operation(fileOperations.remove, (ctx, request) => startRemove(deps, ctx, request)),
    operation(fileOperations.recycled, (ctx, request) => listRecycled(deps, ctx, request)),
    operation(fileOperations.restore, (ctx, request) => startRestore(deps, ctx, request)),
    operation(fileOperations.purge, (ctx, request) => startPurge(deps, ctx, request)),
  ]
}
