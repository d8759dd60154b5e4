import type { ServerState } from '../../foundation/server-state/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { loadStanding } from '../administrators/index.ts'
import type { UserRow } from '../users/index.ts'

interface SignInsDeps {
  readonly db: Db
  readonly state?: ServerState
}

/**
 * While the server is paused only administrators come in. Whoever is refused has used nothing up: no code, no invitation.
 * @throws AppError SERVER_PAUSED
 */
export async function requireSignInsOpen({ db, state }: SignInsDeps, user: UserRow): Promise<void> {
  if (state?.pausedAt() === undefined || (await loadStanding(db, user)) !== undefined) return
  state.requireOpen()
}
