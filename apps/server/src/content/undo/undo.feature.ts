import { fileOperations } from '@godwit/contract'
import { loadJobPrincipal } from '../../identity/principals/index.ts'
import { operation } from '../../kernel/endpoint.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { startUndo, type UndoDeps } from './undo.service.ts'

/** Takes copies and moves back. */
export function undoFeature(kernel: Kernel, given: Pick<UndoDeps, 'files' | 'quotas' | 'recycle'>): Feature {
  const deps: UndoDeps = { ...kernel, ...given, principalOf: (job) => loadJobPrincipal(kernel, job) }
  return defineFeature({
    name: 'undo',
    operations: [operation(fileOperations.undo, (ctx, { jobId }) => startUndo(deps, ctx, jobId))],
  })
}
