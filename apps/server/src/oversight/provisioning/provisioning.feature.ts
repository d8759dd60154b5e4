import { adminScimRoutes as routes } from '@godwit/contract'
import { loggedEndpoint } from '../../foundation/operation-log/index.ts'
import type { Licence } from '../../foundation/licence/index.ts'
import type { AuthDeps } from '../../identity/auth/index.ts'
import type { UsersDeps } from '../../identity/users/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { createToken, editConnection, presentConnection, requireConnection } from './connection.service.ts'
import type { ProvisioningDeps } from './provisioning.types.ts'

/** Wrong tokens from one address. */
const GUESSES = { name: 'scim.guesses', calls: 30, periodMs: 60_000 } as const

export interface ProvisioningFeatureDeps {
  readonly users: UsersDeps
  readonly auth: AuthDeps
  readonly licence: Pick<Licence, 'requireFeature'>
}

/** What the protocol stands on. */
export interface Provisioning extends ProvisioningDeps {
  /**
   * Whether a request is the identity management's.
   * @throws AppError ROUTE_NOT_FOUND while it is switched off; TOKEN_INVALID, RATE_LIMITED, EDITION_FEATURE_MISSING
   */
  require(ctx: Pick<Ctx, 'bearer' | 'address'>): Promise<void>
}

/** Accounts and groups that another system keeps, and the connection by which it does. */
export function provisioningFeature(
  { db, clock, random, limits, queue }: Kernel,
  { users, auth, licence }: ProvisioningFeatureDeps,
): FeatureWith<Provisioning> {
  const log = { db, clock }
  const connection = { db, clock, random, guesses: limits.callLimit(GUESSES) }
  return defineFeature({
    name: 'provisioning',
    api: {
      ...{ db, clock, users, auth, queue },
      async require(ctx) {
        await requireConnection(connection, ctx)
        await licence.requireFeature('directoryLogin')
      },
    },
    endpoints: [
      endpoint(routes.detail, () => presentConnection(connection)),
      loggedEndpoint(log, routes.edit, (ctx, { body }, record) => editConnection(connection, { ctx, record }, body)),
      loggedEndpoint(log, routes.createToken, (ctx, _input, record) => createToken(connection, { ctx, record })),
    ],
  })
}
