import { addSpace, allSpaces, setMember } from '../content/spaces/index.ts'
import { membershipsStore } from '../identity/memberships/index.ts'
import { ACCOUNT_OPTION, onAccount } from './arguments.ts'
import type { Command } from './command.types.ts'
import { EXIT } from './exit-codes.ts'
import { withDatabase, withNewDatabase } from './installation.ts'

const add: Command = {
  name: 'space add',
  summary: 'Add a space; nobody is a member yet',
  positionals: ['NAME'],
  options: {},
  examples: ['godwit space add Laboratory'],
  run: async (call) =>
    withNewDatabase(call, async ({ db }) => {
      const space = await addSpace({ db, clock: call.io.clock }, call.positionals[0] ?? '')
      call.show(space, `Added space ${space.id}, ${space.spaceName}.`)
      return EXIT.ok
    }),
}

const list: Command = {
  name: 'space list',
  summary: 'List the spaces with the number of their members',
  positionals: [],
  options: {},
  examples: ['godwit space list'],
  run: async (call) =>
    withDatabase(call, async ({ db }) => {
      const members = await membershipsStore.count(db)
      const rows = (await allSpaces(db)).map((space) => ({ ...space, members: members.get(space.id) ?? 0 }))
      const lines = rows.map(
        ({ id, spaceName, members: count }) => `${String(id).padEnd(6)}  ${spaceName.padEnd(40)}  ${count} members`,
      )
      call.show(rows, lines.join('\n'))
      return EXIT.ok
    }),
}

const assign: Command = {
  name: 'space assign',
  summary: 'Make an account a member of a space, or with --remove no longer one; files stay where they are',
  positionals: [],
  options: {
    space: { type: 'string', summary: 'Number of the space', value: 'ID', required: true },
    account: ACCOUNT_OPTION,
    remove: { type: 'boolean', summary: 'End the membership' },
  },
  examples: ['godwit space assign --space 2 --account mei', 'godwit space assign --space 1 --account mei --remove'],
  run: async (call) =>
    withDatabase(call, ({ db }) =>
      onAccount(call, db, async ({ id, account }) => {
        const spaceId = Number(call.options['space'])
        const isMember = call.options['remove'] !== true
        await setMember({ db }, { userId: id, spaceId }, isMember)
        call.show(
          { account, spaceId, member: isMember },
          `${account} is ${isMember ? 'now' : 'no longer'} a member of space ${spaceId}.`,
        )
        return EXIT.ok
      }),
    ),
}

export const SPACE_COMMANDS: readonly Command[] = [add, list, assign]
