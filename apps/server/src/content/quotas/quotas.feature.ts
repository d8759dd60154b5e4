import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { createQuotas, type Quotas } from './quotas.service.ts'

export function quotasFeature({ config, db, dialect }: Kernel): FeatureWith<Quotas> {
  return defineFeature({
    name: 'quotas',
    api: createQuotas({ db, dialect, defaultBytes: config['user.quotaBytes'] }),
  })
}
