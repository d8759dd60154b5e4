import type { Actor } from '../../foundation/operation-log/index.ts'
import type { InvitationDeps } from '../../identity/auth/index.ts'
import type { UsersDeps } from '../../identity/users/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { Clock } from '@godwit/base'
import type { Queue } from '../../kernel/queue/index.ts'

export interface ProvisioningDeps {
  readonly db: Db
  readonly clock: Clock
  readonly users: UsersDeps
  readonly auth: InvitationDeps
  readonly queue: Pick<Queue, 'add'>
}

/** As the operation log names it. No account can be called so. */
export const CONNECTION_NAME = 'SCIM 2.0'

/** The identity management, as the operation log knows it. */
export function actorOf({ door, address, userAgent, requestId }: Ctx): Actor {
  return { id: '', account: CONNECTION_NAME, door, address, userAgent, requestId }
}
