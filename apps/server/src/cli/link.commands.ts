import { LINK_STATUS } from '@godwit/contract'
import {
  changeRegistered,
  registeredLink,
  searchRegister,
  type ChangeDeps,
  type RegisterDeps,
  type RegisteredLink,
} from '../exchange/links/index.ts'
import { createBus, createOutbox } from '../kernel/events/index.ts'
import type { Database } from '../kernel/db/index.ts'
import { misused, onAccount, textOf } from './arguments.ts'
import type { Command, Invocation } from './command.types.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { withDatabase } from './installation.ts'

const TYPES = ['share', 'invite'] as const
const STATES = Object.keys(LINK_STATUS) as Array<keyof typeof LINK_STATUS>
const LIMIT = 100
const LIMIT_MAX = 10_000

const list: Command = {
  name: 'link list',
  summary: 'List the share links and invite links of all accounts, the newest first',
  positionals: [],
  options: {
    account: { type: 'string', summary: 'Only links of this account', value: 'NAME' },
    type: { type: 'string', summary: `Only one kind: ${TYPES.join(' or ')}`, value: 'KIND' },
    status: { type: 'string', summary: `Only one status: ${STATES.join(', ')}`, value: 'STATUS' },
    search: { type: 'string', summary: 'Part of a file name or of the folder', value: 'TEXT' },
    limit: { type: 'string', summary: `At most so many (default: ${LIMIT})`, value: 'N' },
  },
  examples: ['godwit link list', 'godwit link list --account mei --status normal --json'],
  run: async (call) => {
    const type = TYPES.find((one) => one === textOf(call, 'type'))
    if (type === undefined && textOf(call, 'type') !== undefined)
      return misused(call, `--type is ${TYPES.join(' or ')}`)
    const status = STATES.find((one) => one === textOf(call, 'status'))
    if (status === undefined && textOf(call, 'status') !== undefined)
      return misused(call, `--status is one of ${STATES.join(', ')}`)
    const limit = Number(textOf(call, 'limit') ?? LIMIT)
    if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX)
      return misused(call, `--limit is a number from 1 to ${LIMIT_MAX}`)
    const wanted = { type, status, text: textOf(call, 'search') ?? '', limit }
    return withDatabase(call, async ({ db }) => {
      const show = async (ownerId: string | undefined): Promise<ExitCode> => {
        const found = await searchRegister(registerOf(call, db), { ...wanted, ownerId })
        call.show(found, tableOf(found.links, found.total))
        return EXIT.ok
      }
      return textOf(call, 'account') === undefined ? show(undefined) : onAccount(call, db, ({ id }) => show(id))
    })
  },
}

function tableOf(links: readonly RegisteredLink[], total: number): string {
  if (links.length === 0) return 'There are no such links.'
  const lines = links.map(
    ({ linkId, type, status, account, folder, names }) =>
      `${linkId}  ${type.padEnd(6)}  ${status.padEnd(8)}  ${account.padEnd(20)}  ${pathOf(folder, names)}`,
  )
  return [...lines, ...(total > links.length ? [`${total - links.length} more: use --limit or --search.`] : [])].join(
    '\n',
  )
}

function pathOf(folder: string, names: readonly string[]): string {
  const [first = ''] = names
  const path = first === '/' ? '/' : `${folder === '/' ? '' : folder}/${first}`
  return names.length > 1 ? `${path} and ${names.length - 1} more` : path
}

const show: Command = {
  name: 'link show',
  summary: 'Show a link by its ID or address; its password is never shown',
  positionals: ['LINK'],
  options: {},
  examples: ['godwit link show 0f8fad5bd9cb469fa165708677289502'],
  run: (call) =>
    withDatabase(call, async ({ db }) => {
      const link = await registeredLink(registerOf(call, db), call.positionals[0] ?? '')
      const timeOf = (at: number): string => (at === 0 ? 'never' : new Date(at).toISOString())
      const lines = [
        link.address,
        `${link.type} link of ${link.account}, ${link.status}${link.blockedBy === null ? '' : ` (${link.blockedBy})`}`,
        `place     space ${link.spaceId}${link.groupId === 0 ? '' : `, group ${link.groupId}`}, ${link.folder}`,
        `files     ${link.names.join(', ')}`,
        ...(link.missing.length === 0 ? [] : [`missing   ${link.missing.join(', ')}`]),
        `password  ${link.hasPassword ? 'yes' : 'no'}`,
        `created   ${timeOf(link.createdAt)}`,
        `expires   ${timeOf(link.expiresAt)}`,
        `used      ${link.downloads} downloads, ${link.uploads} uploads`,
      ]
      call.show(link, lines.join('\n'))
      return EXIT.ok
    }),
}

const disable = changing({
  name: 'link disable',
  summary: 'Disable a link; what its visitors are doing ends within seconds',
  change: 'canceled',
  done: 'Disabled',
})
const enable = changing({
  name: 'link enable',
  summary: 'Put a disabled link back into use',
  change: 'enabled',
  done: 'Enabled',
})
const remove = changing({
  name: 'link delete',
  summary: 'Delete a link with its records; the files stay',
  change: 'removed',
  done: 'Deleted',
})

interface Changing extends Pick<Command, 'name' | 'summary'> {
  readonly change: Parameters<typeof changeRegistered>[2]['change']
  readonly done: string
}

function changing({ name, summary, change, done }: Changing): Command {
  return {
    name,
    summary,
    positionals: ['LINK'],
    options: {},
    examples: [`godwit ${name} 0f8fad5bd9cb469fa165708677289502`],
    run: (call) =>
      withDatabase(call, async (database) => {
        const address = call.positionals[0] ?? ''
        const { linkId, account } = await registeredLink(registerOf(call, database.db), address)
        await changeRegistered(changeDepsOf(call, database), address, { change, by: '' })
        call.show({ linkId, change }, `${done} link ${linkId} of ${account}.`)
        return EXIT.ok
      }),
  }
}

function registerOf({ io, loaded }: Invocation, db: Database['db']): RegisterDeps {
  return { db, clock: io.clock, publicUrl: loaded.config.publicUrl }
}

/** A running server finds the change in the database: it looks every two seconds. */
function changeDepsOf({ io }: Invocation, { db }: Database): ChangeDeps {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  return { db, clock: io.clock, bus: createBus(() => undefined), outbox: createOutbox({ db, clock: io.clock, log }) }
}

export const LINK_COMMANDS: readonly Command[] = [list, show, disable, enable, remove]
