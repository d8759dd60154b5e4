import type { AddFeature } from '../kernel/feature.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { acmeFeature } from './acme/index.ts'
import { brandingFeature } from './branding/index.ts'
import { certificatesFeature } from './certificates/index.ts'
import { clientPackagesFeature } from './client-packages/index.ts'
import { conversionsFeature } from './conversions/index.ts'
import { licenceFeature } from './licence/index.ts'
import { mailFeature } from './mail/index.ts'
import { ownMailFeature } from './own-mail/index.ts'
import { picturesFeature } from './pictures/index.ts'
import { serverStateFeature } from './server-state/index.ts'
import { settingsFeature } from './settings/index.ts'
import { storagesFeature } from './storages/index.ts'

/** Accounts are known one layer above. */
type Given = Pick<Parameters<typeof mailFeature>[1], 'accountOf'>

/** The features of this layer in start order. @returns what the layers above are given of them */
export function foundationFeatures(kernel: Kernel, add: AddFeature, { accountOf }: Given) {
  const storages = add(storagesFeature(kernel))
  const settings = add(settingsFeature(kernel))
  const state = add(serverStateFeature(kernel))
  const licence = add(licenceFeature(kernel, { settings }))
  const pictures = add(picturesFeature(kernel, { settings }))
  const conversions = add(conversionsFeature(kernel, { settings }))
  const certificate = add(certificatesFeature(kernel))
  const challenges = add(acmeFeature(kernel, { settings }))
  const branding = add(brandingFeature(kernel))
  const packages = add(clientPackagesFeature(kernel))
  const mail = add(mailFeature(kernel, { settings, accountOf }))
  add(ownMailFeature(mail))
  return {
    ...{ storages, settings, state, licence, pictures, conversions },
    ...{ certificate, challenges, branding, packages, mail },
  }
}

export type Foundation = ReturnType<typeof foundationFeatures>
