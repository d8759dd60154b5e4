import type { Db } from '../../kernel/db/index.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import { forgetRemoved } from './mounts.service.ts'

const HOUR_MS = 3_600_000

/** Folders of other storages under names in homes. What they are to files is decided in `content/access`. */
export function mountsFeature({ db }: { readonly db: Db }): Feature {
  return defineFeature({
    name: 'mounts',
    every: [{ name: 'removed-mounts', everyMs: HOUR_MS, onOneNode: true, work: () => forgetRemoved(db) }],
  })
}
