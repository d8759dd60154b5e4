import { fileOperations } from '@godwit/contract'
import { operation } from '../../kernel/endpoint.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { forgetViews, noteViewed } from './preview-log.service.ts'

const HOUR_MS = 3_600_000

/** Who looked at which file, and for how long. */
export function previewLogFeature(kernel: Kernel): Feature {
  return defineFeature({
    name: 'preview-log',
    operations: [
      operation(fileOperations.viewed, async (ctx, report) => {
        await noteViewed(kernel, { userId: ctx.principal.id }, report)
        return {}
      }),
    ],
    every: [{ name: 'preview-log', everyMs: HOUR_MS, onOneNode: true, work: () => forgetViews(kernel) }],
  })
}
