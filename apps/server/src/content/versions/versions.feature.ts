import { fileOperations } from '@godwit/contract'
import { operation } from '../../kernel/endpoint.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { VERSION_SETTINGS } from '../kept-versions/index.ts'
import { usageOf } from './usage.ts'
import { versionPlaces } from './version-place.ts'
import { listVersions, removeVersions, restoreVersion } from './versions.service.ts'
import { bookRevert, dropOldest, finishRemovals, type VersionsDeps } from './versions.upkeep.ts'

const HOUR_MS = 3_600_000

/** Contents of files that were replaced: list, take up again, delete. What is kept, and when, is `kept-versions`. */
export function versionsFeature(kernel: Kernel, given: Pick<VersionsDeps, 'files' | 'quotas'>): Feature {
  const deps: VersionsDeps = { ...kernel, ...given }
  deps.files.access.place('version', versionPlaces(deps.db))
  deps.files.steps.onBook('revert', bookRevert(deps))
  return defineFeature({
    name: 'versions',
    settings: VERSION_SETTINGS,
    operations: [
      operation(fileOperations.versions, (ctx, input) => listVersions(deps, ctx, input)),
      operation(fileOperations.restoreVersion, (ctx, input) => restoreVersion(deps, ctx, input)),
      operation(fileOperations.removeVersions, (ctx, input) => removeVersions(deps, ctx, input)),
      operation(fileOperations.usage, (ctx, input) => usageOf(deps, ctx, input)),
    ],
    on: {
      'file.replaced': { subscriber: 'versions.after-replace', handle: (event) => dropOldest(deps, event) },
      'file.moved': { subscriber: 'versions.after-move', handle: (event) => dropOldest(deps, event) },
      'file.copied': { subscriber: 'versions.after-copy', handle: (event) => dropOldest(deps, event) },
      'file.restored': { subscriber: 'versions.after-restore', handle: (event) => dropOldest(deps, event) },
    },
    every: [{ name: 'unfinished-removals', everyMs: HOUR_MS, onOneNode: true, work: () => finishRemovals(deps) }],
  })
}
