import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Storages } from '../../foundation/storages/index.ts'
import type { RecycleFile } from '../recycle/index.ts'
import { cleanStorages } from './cleaning.rounds.ts'
import { accessSubscriptions } from './cleaning.subscribers.ts'

export interface CleaningFeatureDeps {
  readonly storages: Storages
  readonly recycle: RecycleFile
}

/** A rule that was made a moment ago is followed soon; each storage has its turn once a day. */
const LOOK_MS = 3_000

/** Moves files that are older than their storage keeps them into the recycle bin. */
export function cleaningFeature(kernel: Kernel, deps: CleaningFeatureDeps): Feature {
  return defineFeature({
    name: 'cleaning',
    on: accessSubscriptions(),
    every: [
      {
        name: 'cleaning',
        everyMs: LOOK_MS,
        onOneNode: true,
        work: (signal) => cleanStorages({ ...kernel, ...deps }, signal),
      },
    ],
  })
}
