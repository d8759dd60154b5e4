import path from 'node:path'
import { MiB } from '@godwit/base'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { createPictureCache, PICTURE_SETTINGS, type PictureCache } from '../pictures/index.ts'
import type { Settings } from '../settings/index.ts'
import { createConversions, type Conversions } from './conversions.ts'
import {
  cadConverter,
  filmPrograms,
  officeConverter,
  videoConverter,
  type Converter,
  type ConverterName,
} from './converters.ts'
import { createFilmInputs } from './film-inputs.ts'
import { createFilms } from './films.ts'

const DAY_MS = 24 * 3_600_000

export function conversionsFeature(
  kernel: Kernel,
  { settings }: { readonly settings: Settings },
): FeatureWith<Conversions> {
  const { config, clock, random, log } = kernel
  const data = path.resolve(config.data)
  const limitBytes = async (): Promise<number> => (await settings.of(PICTURE_SETTINGS))['pictures.cacheMiB'] * MiB
  const cacheIn = (name: string): PictureCache =>
    createPictureCache({ folder: path.join(data, 'cache', name), limitBytes, clock, random, log })
  const cache = cacheIn('documents')
  const segments = cacheIn('films')
  const found: ReadonlyArray<readonly [ConverterName | 'video', Converter | undefined]> = [
    ['office', officeConverter(config['preview.office'])],
    ['cad', cadConverter(config['preview.cad'])],
    ['video', videoConverter(config['preview.video'])],
  ]
  const converters = new Map(found.flatMap(([name, one]) => (one === undefined ? [] : [[name, one] as const])))
  const folder = path.join(data, 'cache', 'conversions')
  // Files and secrets of people may be in any of these.
  const hidden = [data, '/tmp', '/var/tmp', '/home', '/root', '/srv', '/media', '/run', '/etc/godwit']
  const programs = filmPrograms(config['preview.video'])
  const inputs = createFilmInputs(path.join(data, 'cache', 'film-copies'))
  const shared = { folder, hidden, random, log }
  const films = programs === undefined ? undefined : createFilms({ programs, cache: segments, inputs, ...shared })
  return defineFeature({
    name: 'conversions',
    api: createConversions({ converters, cache, films, ...shared }),
    every: [
      { name: 'unused', everyMs: DAY_MS, work: () => cache.sweep() },
      { name: 'unused-films', everyMs: DAY_MS, work: () => segments.sweep() },
    ],
    stop: async () => films?.stop(),
  })
}
