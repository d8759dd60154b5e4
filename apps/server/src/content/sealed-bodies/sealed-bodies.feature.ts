import type { Settings } from '../../foundation/settings/index.ts'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { createSealedBodies, type SealedBodies } from './sealed-bodies.ts'
import { SEALING_SETTINGS } from './sealing.settings.ts'

export interface Sealing {
  readonly bodies: SealedBodies
  /** What pages are told to seal for; empty while the site does not ask for it. */
  readonly keyForPages: () => Promise<string>
}

export interface SealingDeps {
  readonly settings: Settings
}

export function sealedBodiesFeature({ vault }: Kernel, { settings }: SealingDeps): FeatureWith<Sealing> {
  const bodies = createSealedBodies(vault)
  const api: Sealing = {
    bodies,
    keyForPages: async () => {
      const { webEncryptedUploadSwitch: isOn } = await settings.of(SEALING_SETTINGS)
      return isOn === 1 ? bodies.publicKey : ''
    },
  }
  return defineFeature({ name: 'sealed-bodies', settings: SEALING_SETTINGS, api })
}
