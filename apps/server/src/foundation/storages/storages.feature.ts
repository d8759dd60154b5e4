import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { openStorages, type Storages } from './storages.service.ts'

/** @param given stores to use in place of the local disk; closed with the feature */
export function storagesFeature(
  { config, clock, random }: Pick<Kernel, 'config' | 'clock' | 'random'>,
  given?: Storages,
): FeatureWith<Storages> {
  const options = { data: config.data, reserveBytes: config['storage.reserveBytes'], clock, random }
  let opened = given
  const storages = (): Storages => {
    if (opened === undefined) throw new Error('a storage was asked for before the start')
    return opened
  }
  return defineFeature<Storages>({
    name: 'storages',
    api: {
      ofSpace: (spaceId) => storages().ofSpace(spaceId),
      all: () => storages().all(),
      idOf: (store) => storages().idOf(store),
      withId: (id) => storages().withId(id),
      close: () => storages().close(),
    },
    checks: [
      {
        name: 'storage',
        run: async () =>
          void (await Promise.all(
            storages()
              .all()
              .map((s) => s.stat('')),
          )),
      },
    ],
    start: async () => void (opened ??= await openStorages(options)),
    stop: () => storages().close(),
  })
}
