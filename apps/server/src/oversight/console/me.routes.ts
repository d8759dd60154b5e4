import type { Clock } from '@godwit/base'
import { adminRoutes, type ConsoleMe } from '@godwit/contract'
import { accountOf } from '../../identity/principals/index.ts'
import { usersStore } from '../../identity/users/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'

export interface MeDeps {
  readonly db: Db
  readonly clock: Pick<Clock, 'now'>
}

export function meEndpoints({ db, clock }: MeDeps): Endpoint[] {
  return [
    endpoint(adminRoutes.clock, () => {
      const now = clock.now()
      return Promise.resolve({ now, offsetMinutes: -new Date(now).getTimezoneOffset() })
    }),
    endpoint(adminRoutes.me, async ({ principal }): Promise<ConsoleMe> => {
      const user = await usersStore.byId(db, principal.id)
      const { standing } = accountOf(principal)
      if (user === undefined || standing === undefined) throw new AppError('PERMISSION_DENIED')
      const { kind, role, rights, auditScope, folderScope, spaceIds, groupIds } = standing
      return {
        ...{ id: user.id, account: user.account, name: user.name, email: user.email },
        ...{ standing: kind, role, rights: [...rights], auditScope, folderScope },
        ...{ spaceIds: [...spaceIds], groupIds: [...groupIds] },
      }
    }),
  ]
}
