import { createQuotas } from '../content/quotas/index.ts'
import { BY_SYSTEM, removeAccount, requireRoom, type FilesFate } from '../content/removals/index.ts'
import { foldCase, usersStore, type UserRow } from '../identity/users/index.ts'
import { inTransaction, type Database } from '../kernel/db/index.ts'
import { AppError } from '../kernel/errors.ts'
import { createQueue } from '../kernel/queue/index.ts'
import { ACCOUNT_OPTION, missing, misused, onAccount, textOf } from './arguments.ts'
import type { Command, Invocation } from './command.types.ts'
import { EXIT } from './exit-codes.ts'
import { usersDeps, withDatabase } from './installation.ts'

const FATES: readonly FilesFate[] = ['keep', 'delete', 'hand-over']

export const removeUserCommand: Command = {
  name: 'user remove',
  summary: 'Remove an account; its files stay in the storage, are deleted, or become those of another account',
  positionals: [],
  options: {
    account: ACCOUNT_OPTION,
    files: { type: 'string', summary: 'keep, delete or hand-over (default: keep)', value: 'FATE' },
    to: { type: 'string', summary: 'With hand-over: account that gets the files, in a folder', value: 'ACCOUNT' },
  },
  examples: [
    'godwit user remove --account mei',
    'godwit user remove --account mei --files delete',
    'godwit user remove --account mei --files hand-over --to anna',
  ],
  run: async (call) => {
    const files = FATES.find((fate) => fate === (textOf(call, 'files') ?? 'keep'))
    const to = textOf(call, 'to')
    if (files === undefined) return misused(call, 'files must be keep, delete or hand-over')
    if ((files === 'hand-over') !== (to !== undefined)) return misused(call, '--to goes with --files hand-over')
    return withDatabase(call, (database) =>
      onAccount(call, database.db, async (user) => {
        const receiver = to === undefined ? undefined : await usersStore.byAccountOrEmail(database.db, foldCase(to))
        if (to !== undefined && receiver === undefined) return missing(call, `There is no account ${to}.`)
        if (receiver?.id === user.id) return misused(call, 'an account cannot get its own files')
        await remove(call, database, { user, files, to: receiver })
        const done = { account: user.account, home: user.home, files, ...(receiver && { to: receiver.account }) }
        call.show(done, `Removed ${user.account}. ${consequence(user, files, receiver)}`)
        return EXIT.ok
      }),
    )
  },
}

interface Removal {
  readonly user: UserRow
  readonly files: FilesFate
  readonly to: UserRow | undefined
}

/** A running server sees to the files; without one it does so after its next start. */
async function remove(call: Invocation, database: Database, { user, files, to }: Removal): Promise<void> {
  if (user.is_super === 1) throw new AppError('PERMISSION_DENIED', { reason: 'super-administrator' })
  const { config } = call.loaded
  const deps = usersDeps(call.io, database, config)
  const { db, dialect } = database
  const quotas = createQuotas({ db, dialect, defaultBytes: config['user.quotaBytes'] })
  if (to !== undefined) await requireRoom({ db, quotas }, to, { fromId: user.id, promised: 0 })
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const queue = createQueue({ ...deps, database, log })
  await inTransaction(db, (tx) => removeAccount({ clock: deps.clock, queue }, tx, user, { ...BY_SYSTEM, files, to }))
  deps.bus.publish('user.revoked', { userId: user.id, reason: 'removed' })
}

function consequence({ account, home }: UserRow, files: FilesFate, to: UserRow | undefined): string {
  if (to !== undefined) return `The server moves its files into a folder ${account} of ${to.account}.`
  return files === 'delete' ? 'The server deletes its files.' : `Its files are kept in ${home}.`
}
