import type { Content } from '../content/features.ts'
import type { Foundation } from '../foundation/features.ts'
import type { Identity } from '../identity/features.ts'
import type { AddFeature } from '../kernel/feature.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { clientsFeature } from './clients/index.ts'
import { linksFeature } from './links/index.ts'
import { rendezvousFeature } from './rendezvous/index.ts'
import { transfersFeature } from './transfers/index.ts'

/** The features of this layer in start order. @returns what the layers above are given of them */
export function exchangeFeatures(kernel: Kernel, add: AddFeature, given: Foundation & Identity & Content) {
  const { settings, state, licence, packages, sessions, files, sink, downloads } = given
  const clients = add(clientsFeature(kernel, { settings, licence, packages, sessions }))
  add(linksFeature(kernel, given))
  const transfers = add(transfersFeature(kernel, { files, intake: sink, downloads, settings, clients, state, licence }))
  const rendezvous = add(rendezvousFeature(kernel, { settings, transfers }))
  return { clients, transfers, rendezvous }
}

export type Exchange = ReturnType<typeof exchangeFeatures>
