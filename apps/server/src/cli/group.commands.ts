import { LIMITS, PERMISSION, type Permission } from '@godwit/contract'
import { allSpaces } from '../content/spaces/index.ts'
import {
  addGroup,
  changeGroup,
  groupsStore,
  listGroups,
  removeGroup,
  removeMember,
  requireGroup,
  setMember,
  type GroupRow,
} from '../identity/groups/index.ts'
import type { Db } from '../kernel/db/index.ts'
import { AppError } from '../kernel/errors.ts'
import { ACCOUNT_OPTION, onAccount, textOf } from './arguments.ts'
import { CommandFailure } from './command-failure.ts'
import type { Command, Invocation } from './command.types.ts'
import { EXIT } from './exit-codes.ts'
import { withDatabase } from './installation.ts'

const GROUP_OPTION = { type: 'string', summary: 'Number of the group', value: 'ID', required: true } as const
const QUOTA_OPTION = {
  type: 'string',
  summary: 'What all members together may keep: bytes, or with K, M, G or T; 0 is no limit (default: 0)',
  value: 'SIZE',
} as const

const add: Command = {
  name: 'group add',
  summary: 'Add a group to a space, with a library of its own; nobody is a member yet',
  positionals: ['NAME'],
  options: {
    space: { type: 'string', summary: 'Number of the space (default: 1)', value: 'ID' },
    quota: QUOTA_OPTION,
  },
  examples: ['godwit group add Design', 'godwit group add Design --space 2 --quota 500G'],
  run: async (call) =>
    withDatabase(call, async ({ db }) => {
      const spaceId = numberOf(call, 'space') ?? LIMITS.defaultSpaceId
      if (!(await allSpaces(db)).some(({ id }) => id === spaceId)) throw new AppError('SPACE_NOT_FOUND')
      const wanted = { name: call.positionals[0] ?? '', spaceId, quotaBytes: quotaOf(call) ?? 0 }
      const group = await addGroup({ db, clock: call.io.clock }, wanted)
      call.show(shown(group), `Added group ${group.id}, ${group.name}.`)
      return EXIT.ok
    }),
}

const list: Command = {
  name: 'group list',
  summary: 'List the groups, or with --group the members of one and what they may do',
  positionals: [],
  options: { group: { type: 'string', summary: 'Number of the group', value: 'ID' } },
  examples: ['godwit group list', 'godwit group list --group 3 --json'],
  run: async (call) =>
    withDatabase(call, async ({ db }) => {
      const id = numberOf(call, 'group')
      const { facts, text } = id === undefined ? await groupTable(db) : await memberTable(db, id)
      call.show(facts, text)
      return EXIT.ok
    }),
}

async function groupTable(db: Db) {
  const groups = (await listGroups({ db })).map(({ members, ...group }) => ({ ...shown(group), members }))
  const lines = groups.map(
    ({ id, spaceId, name, quotaBytes, members }) =>
      `${String(id).padEnd(6)}  space ${String(spaceId).padEnd(4)}  ${name.padEnd(32)}  ${members} members${quotaBytes === 0 ? '' : `, ${quotaBytes} bytes`}`,
  )
  return { facts: groups, text: lines.join('\n') }
}

async function memberTable(db: Db, id: number) {
  await requireGroup(db, id)
  const members = (await groupsStore.members(db, id)).map(({ account, permission, is_admin: isAdmin }) => {
    return { account, admin: isAdmin === 1, permission: flagsOf(permission) }
  })
  const lines = members.map(
    ({ account, admin, permission }) =>
      `${account.padEnd(30)}  ${admin ? 'admin ' : 'member'}  ${permission.join(',')}`,
  )
  return { facts: members, text: lines.join('\n') }
}

const change: Command = {
  name: 'group change',
  summary: 'Rename a group or change its quota; its files stay where they are',
  positionals: [],
  options: {
    group: GROUP_OPTION,
    name: { type: 'string', summary: 'New name', value: 'NAME' },
    quota: QUOTA_OPTION,
  },
  examples: ['godwit group change --group 3 --name Studio', 'godwit group change --group 3 --quota 0'],
  run: async (call) =>
    withDatabase(call, async ({ db }) => {
      const group = await changeGroup({ db }, idOf(call), { name: textOf(call, 'name'), quotaBytes: quotaOf(call) })
      call.show(shown(group), `Group ${group.id} is called ${group.name}.`)
      return EXIT.ok
    }),
}

const member: Command = {
  name: 'group member',
  summary: 'Make an account a member of a group, change what it may do there, or with --remove end the membership',
  positionals: [],
  options: {
    group: GROUP_OPTION,
    account: ACCOUNT_OPTION,
    permission: {
      type: 'string',
      summary: `What it may do, with commas: ${flagsOf(-1).join(', ')} (default: all but move and copy)`,
      value: 'FLAGS',
    },
    admin: { type: 'boolean', summary: 'Make it an administrator of the group' },
    remove: { type: 'boolean', summary: 'End the membership' },
  },
  examples: [
    'godwit group member --group 3 --account mei',
    'godwit group member --group 3 --account mei --permission list,download',
    'godwit group member --group 3 --account mei --remove',
  ],
  run: async (call) =>
    withDatabase(call, ({ db }) =>
      onAccount(call, db, async (user) => {
        const groupId = idOf(call)
        const isMember = call.options['remove'] !== true
        const isAdmin = call.options['admin'] === true ? true : undefined
        const group = isMember
          ? await setMember({ db, clock: call.io.clock }, { groupId, user }, { permission: flags(call), isAdmin })
          : (await removeMember({ db }, { groupId, userId: user.id })).group
        const { account } = user
        call.show(
          { account, groupId, member: isMember },
          `${account} is ${isMember ? 'now' : 'no longer'} a member of ${group.name}.`,
        )
        return EXIT.ok
      }),
    ),
}

const remove: Command = {
  name: 'group remove',
  summary: 'Remove a group without members; its files stay on the storage, in groups/ID',
  positionals: ['ID'],
  options: {},
  examples: ['godwit group remove 3'],
  run: async (call) =>
    withDatabase(call, async ({ db }) => {
      const group = await removeGroup({ db }, toNumber('ID', call.positionals[0] ?? ''))
      call.show(shown(group), `Removed group ${group.id}, ${group.name}.`)
      return EXIT.ok
    }),
}

export const GROUP_COMMANDS: readonly Command[] = [add, list, change, member, remove]

function shown({ id, space_id: spaceId, name, quota_bytes: quotaBytes }: GroupRow) {
  return { id, spaceId, name, quotaBytes: Number(quotaBytes) }
}

function flagsOf(permission: number): Permission[] {
  const names = Object.keys(PERMISSION) as Permission[]
  return names.filter((name) => name !== 'cwd' && name !== 'append' && (permission & PERMISSION[name]) !== 0)
}

/** @throws CommandFailure for a flag that does not exist */
function flags(call: Invocation): number | undefined {
  const text = textOf(call, 'permission')
  if (text === undefined) return undefined
  const known: readonly string[] = flagsOf(-1)
  return text.split(',').reduce((set, word) => {
    const name = word.trim()
    if (!known.includes(name))
      throw new CommandFailure(EXIT.usage, `--permission knows ${known.join(', ')}, not '${name}'`)
    return set | PERMISSION[name as Permission]
  }, 0)
}

const UNITS = ['', 'K', 'M', 'G', 'T']

/** @throws CommandFailure for what is no size */
function quotaOf(call: Invocation): number | undefined {
  const text = textOf(call, 'quota')
  if (text === undefined) return undefined
  const [, digits, unit = ''] = /^(\d{1,15})([KMGT]?)$/i.exec(text) ?? []
  const bytes = Number(digits) * 1024 ** UNITS.indexOf(unit.toUpperCase())
  if (!Number.isSafeInteger(bytes))
    throw new CommandFailure(EXIT.usage, `--quota takes a size like 500G, not '${text}'`)
  return bytes
}

function idOf(call: Invocation): number {
  return numberOf(call, 'group') ?? 0
}

function numberOf(call: Invocation, option: string): number | undefined {
  const text = textOf(call, option)
  return text === undefined ? undefined : toNumber(`--${option}`, text)
}

/** @throws CommandFailure */
function toNumber(what: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new CommandFailure(EXIT.usage, `${what} takes a number, not '${text}'`)
  return Number(text)
}
