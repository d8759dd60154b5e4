import type { Provisioning } from '../../oversight/provisioning/index.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { scimEndpoints } from './scim.endpoints.ts'

export function scimFeature({ log }: Kernel, provisioning: Provisioning): Feature {
  return defineFeature({ name: 'scim', raw: scimEndpoints({ provisioning, log }) })
}
