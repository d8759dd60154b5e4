import type { Foundation } from '../foundation/features.ts'
import type { AddFeature } from '../kernel/feature.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { authFeature } from './auth/index.ts'
import { devicesFeature } from './devices/index.ts'
import { providersFeature } from './providers/index.ts'
import { securityFeature } from './security/index.ts'
import { setupFeature } from './setup/index.ts'
import { signOnFeature } from './sign-on/index.ts'
import { siteAccessFeature } from './site-access/index.ts'
import { usersFeature } from './users/index.ts'

/** The features of this layer in start order. @returns what the layers above are given of them */
export function identityFeatures(kernel: Kernel, add: AddFeature, { settings, licence, mail, state }: Foundation) {
  const siteAccess = add(siteAccessFeature({ settings }))
  const users = add(usersFeature(kernel, { settings, licence }))
  const elsewhere = add(providersFeature(kernel, { licence }))
  const auth = add(authFeature(kernel, { users, settings, mail, elsewhere, state }))
  add(securityFeature(kernel, { auth, settings }))
  add(devicesFeature(kernel, auth))
  add(signOnFeature(kernel, auth))
  const setup = add(setupFeature(kernel, { users, auth }))
  return { siteAccess, users, auth, sessions: auth.sessions, setup }
}

export type Identity = ReturnType<typeof identityFeatures>
