import { ACCOUNT_TYPE, EMAIL_SENDER, type AccountType } from '@godwit/contract'
import { takeLocksOver } from '../identity/providers/index.ts'
import { createFirstAdministrator, isSetupNeeded } from '../identity/setup/index.ts'
import { removeSecondFactor } from '../identity/second-factor/index.ts'
import {
  createUser,
  preferencesStore,
  requireNewPassword,
  setLocked,
  setPassword,
  usersStore,
  type UserRow,
} from '../identity/users/index.ts'
import { inTransaction, type Database } from '../kernel/db/index.ts'
import { ACCOUNT_OPTION, missing, misused, onAccount, PASSWORD_OPTION, passwordIn, textOf } from './arguments.ts'
import type { Command, Invocation } from './command.types.ts'
import { EXIT } from './exit-codes.ts'
import { removeUserCommand } from './user-remove.command.ts'
import { licenceTerms, usersDeps, withDatabase, withNewDatabase } from './installation.ts'

const NEEDED_PASSWORD = { ...PASSWORD_OPTION, required: true } as const

const add: Command = {
  name: 'user add',
  summary: 'Create an account; the first one becomes the super administrator',
  positionals: [],
  options: {
    account: ACCOUNT_OPTION,
    email: { type: 'string', summary: 'E-mail address', value: 'EMAIL' },
    'password-file': NEEDED_PASSWORD,
    type: { type: 'string', summary: 'normal, domain, email or linux (default: normal)', value: 'TYPE' },
    'must-reset': { type: 'boolean', summary: 'Ask for a new password at the first sign-in' },
  },
  examples: ['godwit user add --account mei --email mei@example.org --password-file ./mei.txt'],
  run: async (call) =>
    withNewDatabase(call, async (database) => {
      const type = accountType(textOf(call, 'type') ?? 'normal')
      if (type === undefined) return misused(call, 'type must be normal, domain, email or linux')
      const { users } = await licenceTerms(call, database)
      const deps = { ...usersDeps(call.io, database, call.loaded.config), userLimit: () => users }
      const wanted = {
        account: textOf(call, 'account') ?? '',
        email: textOf(call, 'email') ?? '',
        password: passwordIn(textOf(call, 'password-file') ?? '-'),
      }
      const user = (await isSetupNeeded(database.db))
        ? await createFirstAdministrator(deps, wanted)
        : await createUser(deps, { ...wanted, type, mustReset: call.options['must-reset'] === true })
      call.show(present(user), `Created ${user.account}${user.is_super === 1 ? ' as the super administrator' : ''}.`)
      return EXIT.ok
    }),
}

const list: Command = {
  name: 'user list',
  summary: 'List the accounts',
  positionals: [],
  options: {},
  examples: ['godwit user list', 'godwit user list --json'],
  run: async (call) =>
    withDatabase(call, async ({ db }) => {
      const users = (await usersStore.list(db)).map(present)
      const lines = users.map(
        (user) => `${user.account.padEnd(30)}  ${user.state.padEnd(7)}  ${user.role.padEnd(6)}  ${user.email}`,
      )
      call.show(users, lines.length === 0 ? 'No accounts yet.' : lines.join('\n'))
      return EXIT.ok
    }),
}

const lock = accountCommand(
  'user lock',
  'Lock an account: its sessions, uploads and links stop',
  async (call, database, user) => {
    await setLockedByHand(call, database, { user, locked: true })
    call.show({ account: user.account, locked: true }, `Locked ${user.account}.`)
  },
)

const unlock = accountCommand('user unlock', 'Unlock an account', async (call, database, user) => {
  await setLockedByHand(call, database, { user, locked: false })
  call.show({ account: user.account, locked: false }, `Unlocked ${user.account}.`)
})

const mustReset = accountCommand(
  'user must-reset',
  'Ask an account for a new password at its next sign-in; its sessions end',
  async (call, database, user) => {
    await requireNewPassword(usersDeps(call.io, database, call.loaded.config), user)
    await database.db.deleteFrom('sessions').where('user_id', '=', user.id).execute()
    call.show(
      { account: user.account, mustReset: true },
      `${user.account} must set a new password at the next sign-in.`,
    )
  },
)

const sender: Command = {
  name: 'user sender',
  summary: 'Choose whose mail server sends what an account sends: its own, which it sets up itself, or the system’s',
  positionals: [],
  options: {
    account: ACCOUNT_OPTION,
    type: { type: 'string', summary: 'own or system', value: 'TYPE', required: true },
  },
  examples: ['godwit user sender --account mei --type system'],
  run: async (call) =>
    withDatabase(call, async ({ db }) => {
      const type = textOf(call, 'type') ?? ''
      if (type !== 'own' && type !== 'system') return misused(call, 'type must be own or system')
      return onAccount(call, db, async ({ id, account }) => {
        await inTransaction(db, (tx) => preferencesStore.change(tx, id, { email_sender_type: EMAIL_SENDER[type] }))
        call.show(
          { account, sender: type },
          `${account} sends by ${type === 'own' ? 'a sender of its own' : 'the system’s sender'}.`,
        )
        return EXIT.ok
      })
    }),
}

const secondFactorOff = accountCommand(
  'user second-factor-off',
  'Take the second factor off an account whose owner lost it',
  async (call, database, user) => {
    await removeSecondFactor(usersDeps(call.io, database, call.loaded.config), user.id)
    call.show({ account: user.account, secondFactor: false }, `${user.account} signs in with the password alone.`)
  },
)

const recover: Command = {
  name: 'admin recover',
  summary: 'Set a new password for the super administrator, unlock the account and end its sessions',
  positionals: [],
  options: { 'password-file': NEEDED_PASSWORD },
  examples: ['godwit admin recover --password-file ./new.txt'],
  run: async (call) =>
    withDatabase(call, async (database) => {
      const admin = (await usersStore.list(database.db)).find((user) => user.is_super === 1)
      if (!admin)
        return missing(call, 'There is no super administrator yet: start the server and open its set-up page.')
      const deps = usersDeps(call.io, database, call.loaded.config)
      const isSet = await setPassword(deps, admin, passwordIn(textOf(call, 'password-file') ?? '-'))
      if (!isSet) return missing(call, 'Somebody changed the password at this moment: run the command again.')
      await setLocked(deps, admin, false)
      await database.db.deleteFrom('sessions').where('user_id', '=', admin.id).execute()
      await database.db.deleteFrom('sign_in_failures').execute()
      call.show({ account: admin.account }, `${admin.account} can sign in with the new password.`)
      return EXIT.ok
    }),
}

export const USER_COMMANDS: readonly Command[] = [
  add,
  list,
  lock,
  unlock,
  mustReset,
  sender,
  secondFactorOff,
  removeUserCommand,
  recover,
]

/** Neither a directory nor an identity management takes it back, and an unlock brings no session back. */
async function setLockedByHand(
  call: Invocation,
  database: Database,
  { user, locked }: { readonly user: UserRow; readonly locked: boolean },
): Promise<void> {
  await inTransaction(database.db, async (tx) => {
    await takeLocksOver(tx, [user.id])
    if (locked) await tx.deleteFrom('sessions').where('user_id', '=', user.id).execute()
    await setLocked({ ...usersDeps(call.io, database, call.loaded.config), db: tx }, user, locked)
  })
}

/** A command on one existing account. */
function accountCommand(
  name: string,
  summary: string,
  work: (call: Invocation, database: Database, user: UserRow) => Promise<void>,
): Command {
  return {
    name,
    summary,
    positionals: [],
    options: { account: ACCOUNT_OPTION },
    examples: [`godwit ${name} --account mei`],
    run: async (call) =>
      withDatabase(call, (database) =>
        onAccount(call, database.db, async (user) => {
          await work(call, database, user)
          return EXIT.ok
        }),
      ),
  }
}

function present(user: UserRow) {
  return {
    id: user.id,
    account: user.account,
    email: user.email,
    type: Object.entries(ACCOUNT_TYPE).find(([, value]) => value === user.account_type)?.[0] ?? 'normal',
    role: user.is_super === 1 ? 'super' : user.is_admin === 1 ? 'admin' : 'user',
    state: user.locked === 1 ? 'locked' : 'active',
    home: user.home,
  }
}

function accountType(name: string): AccountType | undefined {
  return name in ACCOUNT_TYPE ? ACCOUNT_TYPE[name as keyof typeof ACCOUNT_TYPE] : undefined
}
