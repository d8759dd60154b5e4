import os from 'node:os'
import path from 'node:path'
import { MiB } from '@godwit/base'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Settings } from '../settings/index.ts'
import { createDecoder } from './decoder.ts'
import { createPictureCache } from './picture-cache.ts'
import { createPictures, type Pictures } from './pictures.ts'
import { PICTURE_SETTINGS } from './pictures.settings.ts'

const DAY_MS = 24 * 3_600_000
/** One of so many cores decodes pictures; at least one does. */
const CORES_PER_DECODER = 4

export function picturesFeature(kernel: Kernel, { settings }: { readonly settings: Settings }): FeatureWith<Pictures> {
  const { config, clock, random, log } = kernel
  const count = Math.max(1, Math.floor(os.availableParallelism() / CORES_PER_DECODER))
  const decoders = Array.from({ length: count }, () => createDecoder({ log }))
  const cache = createPictureCache({
    folder: path.join(config.data, 'cache', 'pictures'),
    limitBytes: async () => (await settings.of(PICTURE_SETTINGS))['pictures.cacheMiB'] * MiB,
    ...{ clock, random, log },
  })
  return defineFeature({
    name: 'pictures',
    api: createPictures({ cache, decoders }),
    settings: PICTURE_SETTINGS,
    every: [{ name: 'unused', everyMs: DAY_MS, work: () => cache.sweep() }],
    stop: async () => {
      for (const decoder of decoders) decoder.stop()
    },
  })
}
