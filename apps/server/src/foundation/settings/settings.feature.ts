import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { createSettings, type Settings } from './settings.service.ts'

export function settingsFeature(kernel: Kernel): FeatureWith<Settings> {
  return defineFeature({ name: 'settings', api: createSettings(kernel) })
}
