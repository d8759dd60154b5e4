import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { openClientPackages, type ClientPackages } from './client-packages.service.ts'

export function clientPackagesFeature({ config }: Kernel): FeatureWith<ClientPackages> {
  return defineFeature({ name: 'client-packages', api: openClientPackages(config.data) })
}
