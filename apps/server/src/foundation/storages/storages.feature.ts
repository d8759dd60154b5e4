import { databaseUrl } from '../../kernel/config/index.ts'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { checkDataFolder } from '../installation/index.ts'
import { createStorages, type RunningStorages } from './storages.service.ts'

/** How often storages are looked at, and changes of their rows taken up. */
const LOOK_MS = 5_000

export function storagesFeature({ config, db, vault, clock, random, log }: Kernel): FeatureWith<RunningStorages> {
  const place = { data: config.data, reserveBytes: config['storage.reserveBytes'] }
  const storages = createStorages({ ...place, db, clock, random, log, vault: () => vault })
  return defineFeature<RunningStorages>({
    name: 'storages',
    api: storages,
    checks: [
      { name: 'data', run: () => checkDataFolder(config.data, databaseUrl(config)) },
      { name: 'storage', run: () => storages.check() },
    ],
    every: [{ name: 'storages', everyMs: LOOK_MS, work: () => storages.look() }],
    start: () => storages.start(),
    stop: () => storages.close(),
  })
}
