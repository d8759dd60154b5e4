import fs from 'node:fs'
import { CLEANING_BASES, CLEANING_DAYS, LIMITS, STORAGE_KINDS, type StorageKind } from '@godwit/contract'
import { errorText } from '@godwit/i18n'
import { countDue, setCleaning } from '../content/cleaning/index.ts'
import { allSpaces } from '../content/spaces/index.ts'
import {
  addStorage,
  changeStorageKey,
  adoptStorage,
  listStorages,
  makeDefault,
  removeStorage,
  testStorage,
  type StorageAdminDeps,
  type StorageInfo,
} from '../foundation/storages/index.ts'
import { PROGRAM_FOLDER } from '../kernel/config/index.ts'
import { openVault } from '../kernel/crypto/index.ts'
import type { Database } from '../kernel/db/index.ts'
import { AppError } from '../kernel/errors.ts'
import { requireNoMoveTo } from '../oversight/relocations/index.ts'
import { misused, secretFrom, textOf } from './arguments.ts'
import type { Command, Invocation } from './command.types.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { withDatabase, withNewDatabase, withStorages } from './installation.ts'

const SPACE_OPTION = { type: 'string', summary: 'Number of the space (default: 1)', value: 'ID' } as const

const SECRET_OPTION = {
  type: 'string',
  summary:
    'File whose first line is the secret of the key or the connection string, for gcs the file of credentials; - reads standard input; without it you are asked',
  value: 'FILE',
} as const

const add: Command = {
  name: 'storage add',
  summary: 'Add a folder or a bucket to a space once it answers',
  positionals: [],
  options: {
    name: { type: 'string', summary: 'Name, unique', value: 'NAME', required: true },
    kind: { type: 'string', summary: STORAGE_KINDS.join(', '), value: 'KIND', required: true },
    folder: { type: 'string', summary: 'local: absolute path of the folder', value: 'PATH' },
    bucket: { type: 'string', summary: 'Name of the bucket, for azure of the container', value: 'BUCKET' },
    prefix: { type: 'string', summary: 'All but local: put before every key', value: 'PREFIX' },
    region: { type: 'string', summary: 's3: region (default: us-east-1)', value: 'REGION' },
    endpoint: { type: 'string', summary: 's3-compatible: address of the service', value: 'URL' },
    'path-style': { type: 'boolean', summary: 's3: bucket in the path instead of the host name' },
    'no-conditional-writes': { type: 'boolean', summary: 's3: the service does not honour If-None-Match on writes' },
    'access-key': { type: 'string', summary: 's3: id of the access key', value: 'ID' },
    'secret-file': SECRET_OPTION,
    space: SPACE_OPTION,
    default: { type: 'boolean', summary: 'Make new places of the space on it' },
  },
  examples: [
    'godwit storage add --name Archive --kind local --folder /mnt/archive',
    'godwit storage add --name Bucket --kind s3 --bucket files --region eu-central-1 --access-key AKIA0 --default',
  ],
  run: async (call) => {
    const kind = STORAGE_KINDS.find((name) => name === call.options['kind'])
    if (kind === undefined) return misused(call, `--kind is one of ${STORAGE_KINDS.join(', ')}`)
    const secret = await secretOf(call, kind)
    return withNewDatabase(call, async (database) => {
      const spaceId = await spaceOf(call, database)
      const isDefault = call.options['default'] === true
      const wanted = {
        name: textOf(call, 'name') ?? '',
        kind,
        settings: settingsOf(call, kind),
        secret,
        spaceId,
        isDefault,
      }
      const added = await addStorage(depsOf(call, database), wanted)
      call.show(added, `Added storage ${added.id}, ${added.name}, ${added.place}.`)
      return EXIT.ok
    })
  },
}

const list: Command = {
  name: 'storage list',
  summary: 'List the storages: where they are, which spaces and how many places use them, what the last look found',
  positionals: [],
  options: {},
  examples: ['godwit storage list', 'godwit storage list --json'],
  run: async (call) =>
    withDatabase(call, async ({ db }) => {
      const storages = await listStorages({ db, data: call.loaded.config.data })
      call.show(storages, storages.map(line).join('\n'))
      return EXIT.ok
    }),
}

/** A command on one storage, which shows it afterwards. */
function onStorage(
  command: Pick<Command, 'name' | 'summary' | 'examples'> & Partial<Pick<Command, 'options'>>,
  work: (
    call: Invocation,
    database: Database,
    id: number,
  ) => Promise<{ readonly facts: object; readonly text: string }>,
): Command {
  return {
    options: {},
    ...command,
    positionals: ['ID'],
    run: async (call) =>
      withDatabase(call, async (database): Promise<ExitCode> => {
        const { facts, text } = await work(call, database, Number(call.positionals[0]))
        call.show(facts, text)
        return EXIT.ok
      }),
  }
}

const test = onStorage(
  {
    name: 'storage test',
    summary: 'Open a storage anew, read and write its mark and list it',
    examples: ['godwit storage test 2'],
  },
  async (call, database, id) => {
    const facts = await testStorage(depsOf(call, database), id)
    return { facts, text: `Storage ${id}, ${facts.name}, answers and can be written to.` }
  },
)

const adopt = onStorage(
  {
    name: 'storage adopt',
    summary: 'Take what is at the place of a storage for its own, after it was moved or copied there',
    examples: ['godwit storage adopt 1'],
  },
  async (call, database, id) => {
    const facts = await adoptStorage(depsOf(call, database), id)
    return { facts, text: `Storage ${id}, ${facts.name}, now is what is at ${facts.place}.` }
  },
)

const chooseDefault = onStorage(
  {
    name: 'storage default',
    summary: 'Make new places of a space on this storage',
    options: { space: SPACE_OPTION },
    examples: ['godwit storage default 2', 'godwit storage default 2 --space 3'],
  },
  async (call, database, id) => {
    const spaceId = await spaceOf(call, database)
    await makeDefault(database, id, spaceId)
    return {
      facts: { id, spaceId },
      text: `New places of space ${spaceId} are made on storage ${id}; existing ones stay where they are.`,
    }
  },
)

const remove = onStorage(
  {
    name: 'storage remove',
    summary: 'Forget a storage that no place uses; its files stay where they are',
    examples: ['godwit storage remove 2'],
  },
  async (_call, database, id) => {
    await removeStorage(database, id, (tx) => requireNoMoveTo(tx, id))
    return { facts: { id }, text: `Removed storage ${id}.` }
  },
)

const changeKey = onStorage(
  {
    name: 'storage key',
    summary: 'Open a bucket with another key, once the bucket has taken it',
    options: {
      'access-key': { type: 'string', summary: 'Id of the access key (default: as it is)', value: 'ID' },
      'secret-file': SECRET_OPTION,
    },
    examples: ['godwit storage key 2', 'godwit storage key 2 --access-key AKIA1 --secret-file ./secret.txt'],
  },
  async (call, database, id) => {
    const accessKeyId = textOf(call, 'access-key')
    const secret = await secretFrom(call, 'secret-file', 'Secret of the access key: ')
    const key = accessKeyId === undefined ? { secret } : { accessKeyId, secret }
    const facts = await changeStorageKey(depsOf(call, database), id, key)
    return {
      facts,
      text: `Storage ${id}, ${facts.name}, is opened with the new key; a running server uses it within seconds.`,
    }
  },
)

const clean: Command = {
  name: 'storage clean',
  summary:
    'Move files that are older than an age from a storage into the recycle bin, once a day; --dry-run counts them only',
  positionals: ['ID'],
  options: {
    by: {
      type: 'string',
      summary: `What makes a file old: ${CLEANING_BASES.join(', ')} (default: modified)`,
      value: 'BASIS',
    },
    after: { type: 'string', summary: `Days: ${CLEANING_DAYS.join(', ')}`, value: 'DAYS' },
    'dry-run': { type: 'boolean', summary: 'Count what would go now, and change nothing' },
    off: { type: 'boolean', summary: 'Clean it no longer' },
  },
  examples: [
    'godwit storage clean 2 --by access --after 180 --dry-run',
    'godwit storage clean 2 --by modified --after 90',
    'godwit storage clean 2 --off',
  ],
  run: async (call) => {
    const id = Number(call.positionals[0])
    const basis = CLEANING_BASES.find((name) => name === (textOf(call, 'by') ?? 'modified'))
    const days = CLEANING_DAYS.find((number) => String(number) === textOf(call, 'after'))
    const isOff = call.options['off'] === true
    if (!isOff && (basis === undefined || days === undefined))
      return misused(call, `--by is one of ${CLEANING_BASES.join(', ')}, --after one of ${CLEANING_DAYS.join(', ')}`)
    return withDatabase(call, async (database) => {
      const { clock, signal } = call.io
      const { db } = database
      const rule = isOff || basis === undefined || days === undefined ? undefined : { basis, days }
      if (rule !== undefined && call.options['dry-run'] === true) {
        // As if the rule had been made so long ago.
        const due = await withStorages(call, database, (storages) =>
          countDue({ db, clock, storages }, id, { ...rule, since: 0 }, signal),
        )
        call.show(due, `${due.files} files with ${due.bytes} bytes are older than that.`)
        return EXIT.ok
      }
      await setCleaning({ db, clock }, { storageId: id, rule })
      const text = rule === undefined ? 'is no longer cleaned' : `is cleaned of files older than ${rule.days} days`
      call.show({ id, rule: rule ?? null }, `Storage ${id} ${text}.`)
      return EXIT.ok
    })
  },
}

export const STORAGE_COMMANDS: readonly Command[] = [add, list, test, changeKey, adopt, chooseDefault, remove, clean]

function depsOf({ io, loaded }: Invocation, { db }: Database): StorageAdminDeps {
  const { clock, random } = io
  const { data, 'storage.reserveBytes': reserveBytes } = loaded.config
  return { db, data, reserveBytes, clock, random, program: PROGRAM_FOLDER, vault: () => openVault(data, random) }
}

/** The file of credentials of a service account has many lines, every other secret has one. */
async function secretOf(call: Invocation, kind: StorageKind): Promise<string> {
  if (kind === 'local') return ''
  const file = textOf(call, 'secret-file')
  if (kind === 'gcs' && file !== undefined) return fs.readFileSync(file === '-' ? 0 : file, 'utf8')
  return secretFrom(call, 'secret-file', SECRET_QUESTIONS[kind] ?? 'Secret of the access key: ')
}

const SECRET_QUESTIONS: Readonly<Partial<Record<StorageKind, string>>> = {
  azure: 'Connection string: ',
  gcs: 'Credentials of the service account, as JSON in one line: ',
}

function settingsOf(call: Invocation, kind: StorageKind): Readonly<Record<string, unknown>> {
  if (kind === 'local') return { folder: textOf(call, 'folder') ?? '' }
  if (kind === 'azure' || kind === 'gcs')
    return { bucket: textOf(call, 'bucket') ?? '', prefix: textOf(call, 'prefix') }
  const texts = {
    endpoint: textOf(call, 'endpoint'),
    region: textOf(call, 'region'),
    bucket: textOf(call, 'bucket') ?? '',
    prefix: textOf(call, 'prefix'),
    accessKeyId: textOf(call, 'access-key') ?? '',
  }
  return {
    ...texts,
    pathStyle: call.options['path-style'] === true,
    conditionalWrites: kind !== 'oss' && call.options['no-conditional-writes'] !== true,
  }
}

/** @throws AppError SPACE_NOT_FOUND */
async function spaceOf(call: Invocation, { db }: Database): Promise<number> {
  const spaceId = Number(call.options['space'] ?? LIMITS.defaultSpaceId)
  if (!(await allSpaces(db)).some(({ id }) => id === spaceId)) throw new AppError('SPACE_NOT_FOUND')
  return spaceId
}

function line({ id, name, kind, place, spaceIds, defaultOf, places, checkedAt, error }: StorageInfo): string {
  const spaces = spaceIds.map((space) => `${space}${defaultOf.includes(space) ? ' (default)' : ''}`).join(', ')
  const state = error === '' ? 'ok' : errorText('en-US', error as 'STORAGE_FULL')
  const looked = checkedAt === null ? 'never looked at' : `${state}, ${new Date(checkedAt).toISOString()}`
  return [
    `${String(id).padEnd(4)}  ${name.padEnd(20)}  ${kind.padEnd(13)}  ${place}`,
    `      spaces: ${spaces || 'none'}; places: ${places}; ${looked}`,
  ].join('\n')
}
