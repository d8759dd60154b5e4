import { BRANDING_SETTINGS } from '../../foundation/branding/index.ts'
import type { Settings } from '../../foundation/settings/index.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { AuthDeps } from '../auth/index.ts'
import { createChallenges } from '../passkeys/index.ts'
import { securityEndpoints } from './security.routes.ts'

/** Sign-ins by passkey that one address may begin. */
const PASSKEY_LOGINS = { name: 'security.passkey-logins', calls: 60, periodMs: 60_000 } as const
const SET_UPS = { name: 'security.set-ups', calls: 60, periodMs: 60_000 } as const

export interface SecurityFeatureDeps {
  readonly auth: AuthDeps
  readonly settings: Settings
}

export function securityFeature(kernel: Kernel, { auth, settings }: SecurityFeatureDeps): Feature {
  const { config, db, clock, ids, limits } = kernel
  return defineFeature({
    name: 'security',
    endpoints: securityEndpoints({
      ...{ auth, ids },
      passkeys: { db, clock, ids, challenges: createChallenges({ db, clock }) },
      publicUrl: config.publicUrl,
      siteName: async () => (await settings.of(BRANDING_SETTINGS)).productNameEN,
      passkeyLogins: limits.callLimit(PASSKEY_LOGINS),
      setUps: limits.callLimit(SET_UPS),
    }),
  })
}
