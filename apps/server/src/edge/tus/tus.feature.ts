import { defineFeature, type Feature } from '../../kernel/feature.ts'
import { tusEndpoints } from './tus.endpoints.ts'

export function tusFeature(...deps: Parameters<typeof tusEndpoints>): Feature {
  return defineFeature({ name: 'tus', raw: tusEndpoints(...deps) })
}
