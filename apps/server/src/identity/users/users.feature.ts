import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { UsersDeps } from './users.service.ts'

export function usersFeature({ config, ...kernel }: Kernel): FeatureWith<UsersDeps> {
  return defineFeature({ name: 'users', api: { ...kernel, passwordPreset: config['security.passwordPreset'] } })
}
