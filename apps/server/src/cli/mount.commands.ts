import { setTimeout as pause } from 'node:timers/promises'
import { LIMITS } from '@godwit/contract'
import { SESSION_CACHE_MS } from '../identity/auth/index.ts'
import {
  addMount,
  listMounts,
  removeMount,
  renameMount,
  requireMount,
  type MountInfo,
} from '../content/mounts/index.ts'
import type { UserRow } from '../identity/users/index.ts'
import type { Database } from '../kernel/db/index.ts'
import { ACCOUNT_OPTION, onAccount, textOf } from './arguments.ts'
import { CommandFailure } from './command-failure.ts'
import type { Command, Invocation } from './command.types.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { withDatabase, withStorages } from './installation.ts'

/** A running server has read every account anew by then. */
const settled = (): Promise<void> => pause(SESSION_CACHE_MS * 1.2)

const BY_COMMAND = { by: { kind: 'system', id: '' }, door: 'schedule' } as const

const add: Command = {
  name: 'mount add',
  summary: "Show a folder of a storage under a name in an account's home; what is in it stays where it is",
  positionals: ['NAME'],
  options: {
    account: ACCOUNT_OPTION,
    storage: { type: 'string', summary: 'Number of the storage', value: 'ID', required: true },
    folder: {
      type: 'string',
      summary: 'Folder of the storage; made when it is missing',
      value: 'PATH',
      required: true,
    },
    space: { type: 'string', summary: 'Number of the space whose home it is in (default: 1)', value: 'ID' },
    'read-only': { type: 'boolean', summary: 'Nothing in it can be changed by the account' },
  },
  examples: [
    'godwit mount add Archive --account mei --storage 2 --folder archive/2026',
    'godwit mount add Footage --account mei --storage 3 --folder footage --read-only',
  ],
  run: (call) =>
    onOwner(call, async (user, database) =>
      withStorages(call, database, async (storages) => {
        const { id } = await addMount({ db: database.db, storages, clock: call.io.clock, settled }, user, {
          ...{ alias: call.positionals[0] ?? '', path: textOf(call, 'folder') ?? '' },
          ...{ spaceId: numberOf(call, 'space') ?? LIMITS.defaultSpaceId, storageId: numberOf(call, 'storage') ?? 0 },
          readOnly: call.options['read-only'] === true,
        })
        const info = (await listMounts(database.db, user.id)).find((mount) => mount.id === id)
        call.show(info ?? {}, `${user.account} has ${info?.alias}, ${info?.path} of storage ${info?.storageName}.`)
        return EXIT.ok
      }),
    ),
}

const list: Command = {
  name: 'mount list',
  summary: 'List the virtual directories of all accounts, or of one',
  positionals: [],
  options: { account: { ...ACCOUNT_OPTION, required: false } },
  examples: ['godwit mount list', 'godwit mount list --account mei --json'],
  run: (call) =>
    textOf(call, 'account') === undefined
      ? withDatabase(call, ({ db }) => show(call, db))
      : onOwner(call, (user, { db }) => show(call, db, user.id)),
}

async function show(call: Invocation, db: Database['db'], userId?: string): Promise<ExitCode> {
  const mounts = await listMounts(db, userId)
  call.show(mounts, mounts.map(line).join('\n'))
  return EXIT.ok
}

function line({ account, spaceId, alias, storageId, storageName, path, readOnly }: MountInfo): string {
  const where = `storage ${storageId} (${storageName}), ${path}${readOnly ? ', read-only' : ''}`
  return `${account.padEnd(30)}  space ${String(spaceId).padEnd(4)}  ${alias.padEnd(24)}  ${where}`
}

const rename: Command = {
  name: 'mount rename',
  summary: 'Give a virtual directory another name in its home; links, favorites and versions stay with its files',
  positionals: ['NAME', 'NEW_NAME'],
  options: { account: ACCOUNT_OPTION },
  examples: ['godwit mount rename Archive Old --account mei'],
  run: (call) =>
    onOwner(call, async (user, database) =>
      withStorages(call, database, async (storages) => {
        const { db } = database
        const row = await requireMount(db, user.id, call.positionals[0] ?? '')
        const wanted = { row, alias: call.positionals[1] ?? '', origin: BY_COMMAND }
        const { alias } = await renameMount({ db, storages, clock: call.io.clock, settled }, wanted)
        call.show({ account: user.account, alias }, `It is called ${alias} now.`)
        return EXIT.ok
      }),
    ),
}

const remove: Command = {
  name: 'mount remove',
  summary: 'Take a virtual directory out of a home; its files stay on the storage, links into it end',
  positionals: ['NAME'],
  options: { account: ACCOUNT_OPTION },
  examples: ['godwit mount remove Archive --account mei'],
  run: (call) =>
    onOwner(call, async (user, database) =>
      withStorages(call, database, async (storages) => {
        const { db } = database
        const row = await requireMount(db, user.id, call.positionals[0] ?? '')
        await removeMount({ db, storages, clock: call.io.clock, settled }, { row, origin: BY_COMMAND })
        const { account } = user
        call.show(
          { account, alias: row.alias },
          `${account} no longer has ${row.alias}; its files stay in ${row.path}.`,
        )
        return EXIT.ok
      }),
    ),
}

export const MOUNT_COMMANDS: readonly Command[] = [add, list, rename, remove]

function onOwner(call: Invocation, work: (user: UserRow, database: Database) => Promise<ExitCode>): Promise<ExitCode> {
  return withDatabase(call, (database) => onAccount(call, database.db, (user) => work(user, database)))
}

/** @throws CommandFailure */
function numberOf(call: Invocation, option: string): number | undefined {
  const text = textOf(call, option)
  if (text !== undefined && !/^\d{1,9}$/.test(text))
    throw new CommandFailure(EXIT.usage, `--${option} takes a number, not '${text}'`)
  return text === undefined ? undefined : Number(text)
}
