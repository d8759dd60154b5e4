import { setTimeout as pause } from 'node:timers/promises'
import type { ProviderSource } from '@godwit/contract'
import {
  listProviders,
  requestSync,
  syncsStore,
  testProvider,
  type SyncDeps,
  type SyncRow,
} from '../identity/providers/index.ts'
import { AppError } from '../kernel/errors.ts'
import { openKernel } from '../kernel/kernel.ts'
import { createOutbound } from '../kernel/outbound/index.ts'
import { misused, passwordIn, PASSWORD_OPTION, textOf } from './arguments.ts'
import { CommandFailure } from './command-failure.ts'
import type { Command, Invocation } from './command.types.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { withDatabase } from './installation.ts'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }
const LOOK_EVERY_MS = 250
/** A running server looks for jobs every two seconds. */
const TAKEN_WITHIN_MS = 15_000
const SHOWN = 1000

const list: Command = {
  name: 'auth list',
  summary: 'List where passwords are checked besides this server, in the order in which they are asked',
  positionals: [],
  options: {},
  examples: ['godwit auth list'],
  run: async (call) =>
    withDatabase(call, async ({ db }) => {
      const providers = await listProviders(db)
      const lines = providers.map(({ id, name, enabled, source, accounts }) => {
        const state = enabled ? 'on ' : 'off'
        const kind = source.kind.padEnd(6)
        return `${String(id).padEnd(6)}  ${state}  ${kind}  ${name.padEnd(30)}  ${hostOf(source)}  ${accounts} accounts`
      })
      const facts = providers.map(({ id, name, enabled, source, accounts }) => ({
        ...{ id, name, enabled, kind: source.kind, host: hostOf(source), accounts },
      }))
      call.show(facts, lines.length === 0 ? 'Passwords are checked by this server alone.' : lines.join('\n'))
      return EXIT.ok
    }),
}

/** Where a provider is asked. */
function hostOf({ kind, settings }: ProviderSource): string {
  switch (kind) {
    case 'ldap':
    case 'email':
      return settings.host
    case 'oidc':
      return new URL(settings.issuer).host
    case 'saml':
      // Metadata that was pasted has no address.
      return settings.metadataUrl === '' ? '' : new URL(settings.metadataUrl).host
    case 'http':
      return new URL(settings.url).host
    case 'unix':
      return `PAM: ${settings.service}`
  }
}

const test: Command = {
  name: 'auth test',
  summary: 'Test a provider step by step; with --account and --password-file the sign-in of somebody as well',
  positionals: ['ID'],
  options: {
    account: { type: 'string', summary: 'Name at the provider', value: 'NAME' },
    'password-file': PASSWORD_OPTION,
  },
  examples: ['godwit auth test 1', 'godwit auth test 1 --account mei --password-file ./mei.txt'],
  run: async (call) => {
    const [login, file] = [textOf(call, 'account'), textOf(call, 'password-file')]
    if ((login === undefined) !== (file === undefined))
      return misused(call, '--account and --password-file go together')
    const somebody = login === undefined || file === undefined ? undefined : { login, password: passwordIn(file) }
    return withProviders(call, async (deps) => {
      const proof = await testProvider(deps, idOf(call), somebody)
      const steps = proof.steps.map(({ step, ms }) => `${step.padEnd(10)}  ok  ${ms} ms`)
      const who = proof.person === null ? [] : [`${proof.person.account}  ${proof.person.name}  ${proof.person.email}`]
      call.show(proof, [...steps, ...who].join('\n'))
      return EXIT.ok
    })
  },
}

const sync: Command = {
  name: 'auth sync',
  summary: 'Have the running server find out what a synchronization would change, or with --apply do it',
  positionals: ['ID'],
  options: {
    apply: { type: 'boolean', summary: 'Make the changes' },
    'locks-max': { type: 'string', summary: 'Accounts that may be locked (default: a third of them)', value: 'NUMBER' },
  },
  examples: ['godwit auth sync 1', 'godwit auth sync 1 --apply', 'godwit auth sync 1 --apply --locks-max 40'],
  run: async (call) =>
    withProviders(call, async (deps) => {
      const locks = textOf(call, 'locks-max')
      if (locks !== undefined && !/^\d{1,9}$/.test(locks)) return misused(call, '--locks-max takes a number')
      const wanted = {
        ...{ providerId: idOf(call), dryRun: call.options['apply'] !== true },
        ...{ locksMax: locks === undefined ? undefined : Number(locks), by: { id: '', account: 'godwit auth sync' } },
      }
      const row = await ended(call, deps, (await requestSync(deps, wanted)).id)
      if (row.error !== '') throw new CommandFailure(EXIT.problems, `the synchronization failed: ${row.error}`)
      const { rows: changes } = await syncsStore.changesPage(
        deps.db,
        { syncId: row.id, change: undefined },
        { page: 1, size: SHOWN },
      )
      const counts = JSON.parse(row.counts) as Readonly<Record<string, number>>
      const sums = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
      const lines = changes.map(({ kind, account, detail }) => `${kind.padEnd(7)}  ${account.padEnd(30)}  ${detail}`)
      const facts = {
        dryRun: wanted.dryRun,
        counts,
        changes: changes.map(({ kind, account, detail }) => ({ change: kind, account, detail })),
      }
      call.show(facts, [...lines, `${row.read_entries} read: ${sums.join(', ')}`].join('\n'))
      return EXIT.ok
    }),
}

/** Waits until the server has done it. */
async function ended({ io }: Invocation, deps: SyncDeps, id: string): Promise<SyncRow> {
  const giveUpAt = io.clock.monotonic() + TAKEN_WITHIN_MS
  for (;;) {
    const row = await syncsStore.byId(deps.db, id)
    if (row === undefined) throw new AppError('JOB_NOT_FOUND')
    if (row.ended_at !== null) return row
    if (row.state === 'queued' && io.clock.monotonic() > giveUpAt)
      throw new CommandFailure(EXIT.problems, 'no running server takes it: it waits for the next start')
    await pause(LOOK_EVERY_MS, undefined, { signal: io.signal })
  }
}

function idOf({ positionals }: Invocation): number {
  return Number(positionals[0] ?? '')
}

async function withProviders(call: Invocation, work: (deps: SyncDeps) => Promise<ExitCode>): Promise<ExitCode> {
  return withDatabase(call, async (database) => {
    const { config } = call.loaded
    const kernel = openKernel({ ...call.io, config, database, log: SILENT })
    return work({ ...kernel, outbound: createOutbound(config['outbound.allow']) })
  })
}

export const AUTH_COMMANDS: readonly Command[] = [list, test, sync]
