import os from 'node:os'
import { appendOperations } from '../foundation/operation-log/index.ts'
import { PRODUCT_VERSION } from '../foundation/settings/index.ts'
import { foldCase, usersStore } from '../identity/users/index.ts'
import { inTransaction, type Db } from '../kernel/db/index.ts'
import type { Command, Invocation } from './command.types.ts'
import { isInstalled, withAnyVaultKey } from './installation.ts'

/** Commands that change an installation: the operation log keeps each call of them. */
export const CHANGING = [
  ...['user add', 'user lock', 'user unlock', 'user remove', 'user must-reset'],
  ...['user second-factor-off', 'user sender', 'admin recover'],
  ...['group add', 'group change', 'group member', 'group remove', 'space add', 'space assign'],
  ...['space move', 'space move-settle'],
  ...['settings set', 'settings reset', 'site set', 'site reset', 'mail set', 'auth sync'],
  ...['storage add', 'storage adopt', 'storage default', 'storage remove', 'storage key', 'storage clean'],
  ...['mount add', 'mount rename', 'mount remove'],
  ...['certificate set', 'certificate self-signed', 'certificate order', 'certificate remove'],
  ...['licence install', 'licence remove'],
  ...['link disable', 'link enable', 'link delete'],
  ...['server pause', 'server resume', 'server restart', 'server shutdown'],
  ...['secrets adopt', 'events retry', 'restore'],
] as const

/** Commands that leave an installation as it is. */
export const READING = [
  ...[
    'serve',
    'user list',
    'group list',
    'space list',
    'storage list',
    'storage test',
    'mount list',
    'mail show',
    'mail test',
  ],
  ...['licence key', 'licence issue', 'licence show'],
  ...['certificate show', 'certificate orders', 'link list', 'link show', 'auth list', 'auth test'],
  ...['settings list', 'settings get', 'settings history', 'site show', 'events list', 'events parked'],
  ...['hook list', 'hook log', 'hook test'],
  ...['syslog test', 'syslog show', 'server show'],
  // The log itself goes back with the database.
  ...['doctor', 'support-bundle', 'verify', 'backup', 'db copy', 'db status', 'db revert'],
  ...['config print', 'config validate', 'completion', 'man'],
] as const

const changing: ReadonlySet<string> = new Set(CHANGING)

/** Runs a command; one that changes something leaves a row in the operation log, also when it was refused. */
export async function logged<Result>(
  command: Command,
  call: Invocation,
  {
    work,
    codeOf,
  }: { readonly work: () => Promise<Result>; readonly codeOf: (outcome: Outcome<Result>) => string | undefined },
): Promise<Result> {
  if (!changing.has(command.name)) return work()
  const before = await knownId(call)
  try {
    const result = await work()
    await record(command, call, { id: before, code: codeOf({ result }) })
    return result
  } catch (thrown) {
    await record(command, call, { id: before, code: codeOf({ thrown }) })
    throw thrown
  }
}

type Outcome<Result> = { readonly result: Result } | { readonly thrown: unknown }

/** @param code `ok` or the name of an error; undefined for what never reached the installation, such as a misspelled flag */
async function record(
  command: Command,
  call: Invocation,
  { id, code }: { readonly id: string | undefined; readonly code: string | undefined },
): Promise<void> {
  if (code === undefined || !isInstalled(call)) return
  const [kind = ''] = command.name.split(' ')
  const thing = { kind, id: id ?? (await knownId(call)) ?? '', name: targetOf(call), after: wordsOf(command, call) }
  const entry = { actor: operator(), operation: command.name.replaceAll(' ', '.'), things: [thing], result: code }
  await withAnyVaultKey(call, ({ db }) =>
    inTransaction(db, (tx) => appendOperations({ clock: call.io.clock }, tx, entry)),
  )
}

/** The account that a call names, before it is removed and after it is made. */
async function knownId(call: Invocation): Promise<string | undefined> {
  const { account } = call.options
  if (typeof account !== 'string' || !isInstalled(call)) return undefined
  const look = async (db: Db) => (await usersStore.byAccountOrEmail(db, foldCase(account)))?.id
  return withAnyVaultKey(call, ({ db }) => look(db))
}

/** What a call is about, as far as its words say. */
function targetOf({ options, positionals }: Invocation): string {
  const named = options['account'] ?? options['name'] ?? options['group'] ?? options['key'] ?? positionals[0]
  return typeof named === 'string' ? named : ''
}

/** The words of the call; files named for a secret stay unnamed. */
function wordsOf({ options, positionals: names }: Command, call: Invocation): object {
  const given = Object.keys(options).filter((name) => call.options[name] !== undefined && !name.endsWith('-file'))
  return {
    ...Object.fromEntries(given.map((name) => [name, call.options[name]])),
    ...Object.fromEntries(names.map((name, at) => [name, call.positionals[at]])),
  }
}

/** Whoever has a shell on the host. */
function operator() {
  const program = `godwit/${PRODUCT_VERSION}`
  return { id: '', account: userName(), door: 'cli', address: os.hostname(), userAgent: program, requestId: '' }
}

function userName(): string {
  try {
    return os.userInfo().username
  } catch {
    // A user id without an entry in the list of users, as in many containers.
    return `uid ${process.getuid?.() ?? '?'}`
  }
}
