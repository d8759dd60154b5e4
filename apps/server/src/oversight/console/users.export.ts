import { adminUserRoutes, ACCOUNT_TYPE, wirePermission, type AccountTransfer, type AdminUser } from '@godwit/contract'
import { recordExport, type OperationLogDeps } from '../../foundation/operation-log/index.ts'
import { requireAccount } from '../../identity/principals/index.ts'
import { usersSearch, type UserFilter } from '../../identity/users/index.ts'
import type { RawEndpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { transfersOf } from './account-transfer.ts'
import { CSV_START, csvLine } from './csv.ts'
import { sendBatches } from './downloads.ts'
import { presentUsers } from './users.present.ts'
import type { ConsoleUsersDeps } from './users.service.ts'

/** The first ones are the fields of an import, so that an export can come in again. */
const HEAD = [
  ...['account', 'name', 'email', 'phone', 'permission', 'ownQuotaBytes'],
  ...['ways', 'ignorePatterns', 'ignoreAboveMb', 'mailSender', 'linkMail', 'skipSameName', 'lockFilters', 'sync'],
  ...['type', 'groups', 'department', 'usedBytes', 'locked', 'standing', 'createdAt', 'lastSignInAt'],
]
const BATCH = 500

/** All accounts that a filter fits, as CSV for spreadsheets. */
export function userExport(deps: ConsoleUsersDeps, log: OperationLogDeps): RawEndpoint {
  const spec = adminUserRoutes.export
  return {
    spec,
    async handle(ctx, { res, query }) {
      const wanted = spec.query.safeParse(Object.fromEntries(query))
      if (!wanted.success)
        throw new AppError('PARAMETER_INVALID', { field: wanted.error.issues[0]?.path.join('.') ?? '' })
      const userCtx = { ...ctx, principal: requireAccount(ctx) }
      const thing = { kind: 'user', id: '', name: '', after: wanted.data }
      await recordExport(log, userCtx, { operation: spec.log, thing })
      await sendBatches(ctx, res, {
        ...{ name: 'users.csv', type: 'text/csv; charset=utf-8', head: CSV_START + csvLine(HEAD) },
        batches: batchesOf(deps, wanted.data),
        line: (cells: readonly string[]) => csvLine(cells),
      })
    },
  }
}

async function* batchesOf(deps: ConsoleUsersDeps, filter: UserFilter): AsyncGenerator<string[][]> {
  const seenSince = deps.users.clock.now() - deps.idleMs
  for (let after = ''; ;) {
    const users = await usersSearch.after(deps.db, filter, { seenSince, after, limit: BATCH })
    const last = users.at(-1)
    if (last === undefined) return
    const shown = await presentUsers(deps, users, seenSince)
    const transfers = await transfersOf(
      deps.db,
      users.map(({ id }) => id),
    )
    yield users.map((user, at) => {
      const own = [wirePermission(user.permission), user.quota_bytes ?? '', ...transferCells(transfers.get(user.id))]
      return cellsOf(shown[at], own.map(String))
    })
    after = last.account_key
  }
}

/** Empty where the space or the site decides. */
function transferCells(transfer: AccountTransfer | undefined): string[] {
  if (transfer === undefined) return []
  const { ways, ignorePatterns, ignoreAboveMb, mailSender, linkMail, skipSameName, lockFilters, sync } = transfer
  const flag = (isOn: boolean | null): string => (isOn === null ? '' : isOn ? '1' : '0')
  return [
    ...[ways ?? '', ignorePatterns ?? '', ignoreAboveMb === null ? '' : String(ignoreAboveMb), mailSender],
    ...[linkMail ?? '', flag(skipSameName), flag(lockFilters), sync ?? ''],
  ]
}

function cellsOf(user: AdminUser | undefined, own: readonly string[]): string[] {
  if (user === undefined) return []
  const type = Object.entries(ACCOUNT_TYPE).find(([, value]) => value === user.type)?.[0] ?? ''
  const time = (at: number | null): string => (at === null ? '' : new Date(Number(at)).toISOString())
  return [
    ...[user.account, user.name, user.email, user.phone, ...own, type],
    ...[user.groups.map(({ name }) => name).join('; '), user.department?.name ?? ''],
    ...[String(user.usedBytes), user.locked ? '1' : '0', user.standing, time(user.createdAt), time(user.lastSignInAt)],
  ]
}
