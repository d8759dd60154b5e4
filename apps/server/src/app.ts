import { contentFeatures } from './content/features.ts'
import { edgeFeatures } from './edge/features.ts'
import { exchangeFeatures } from './exchange/features.ts'
import { foundationFeatures } from './foundation/features.ts'
import { identityFeatures } from './identity/features.ts'
import { mailAccountOf } from './identity/users/index.ts'
import { featureList } from './kernel/feature.ts'
import type { Kernel } from './kernel/kernel.ts'
import { oversightFeatures } from './oversight/features.ts'
import type { Parts } from './parts.ts'

/** Every feature in start order: those of a layer after the ones they are given. This is the only place that knows all layers. */
export function listFeatures(kernel: Kernel, { web, documentation, sources }: Parts) {
  const { all, add } = featureList()
  const foundation = foundationFeatures(kernel, add, { accountOf: mailAccountOf(kernel) })
  const identity = identityFeatures(kernel, add, foundation)
  const content = contentFeatures(kernel, add, { ...foundation, ...identity })
  const exchange = exchangeFeatures(kernel, add, { ...foundation, ...identity, ...content })
  const product = { ...foundation, ...identity, ...content, ...exchange }
  const { provisioning } = oversightFeatures(kernel, add, { ...product, sources })
  const { http } = edgeFeatures(kernel, add, { ...product, provisioning, web, documentation })
  return { all, http, setup: identity.setup, state: foundation.state }
}
