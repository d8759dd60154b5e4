import { fileOperations } from '@godwit/contract'
import { operation } from '../../kernel/endpoint.ts'
import type { Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { forgetViews, noteViewed } from './preview-log.service.ts'

const HOUR_MS = 3_600_000

/** What previews keep of who looked at which file, and for how long. */
export function previewLogParts(kernel: Kernel): Required<Pick<Feature, 'operations' | 'every'>> {
  return {
    operations: [
      operation(fileOperations.viewed, async (ctx, report) => {
        await noteViewed(kernel, { userId: ctx.principal.id }, report)
        return {}
      }),
    ],
    every: [{ name: 'preview-log', everyMs: HOUR_MS, onOneNode: true, work: () => forgetViews(kernel) }],
  }
}
