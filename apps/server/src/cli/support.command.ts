import fs from 'node:fs'
import os from 'node:os'
import { ERRORS } from '@godwit/contract'
import { listStorages } from '../foundation/storages/index.ts'
import { PRODUCT_VERSION } from '../foundation/settings/index.ts'
import { shownConfig } from '../kernel/config/index.ts'
import { listParked, listSubscribers } from '../kernel/events/index.ts'
import { countJobs, listFailedJobs } from '../kernel/queue/index.ts'
import { examine } from '../oversight/maintenance/index.ts'
import { CommandFailure } from './command-failure.ts'
import type { Command, Invocation } from './command.types.ts'
import { doctorDeps } from './doctor.command.ts'
import { EXIT } from './exit-codes.ts'
import { withDatabase } from './installation.ts'

const FAILED_JOBS = 200

export const supportBundleCommand: Command = {
  name: 'support-bundle',
  summary:
    'Write what somebody who helps needs to know into one JSON file: no password, key, account, path of a user or content',
  positionals: ['FILE'],
  options: { force: { type: 'boolean', summary: 'Replace a file that exists' } },
  examples: ['godwit support-bundle /tmp/godwit-support.json'],
  run: async (call) => {
    const file = call.positionals[0] ?? ''
    const text = `${JSON.stringify(await collect(call), null, 2)}\n`
    write(file, text, call.options['force'] === true)
    call.show({ file, bytes: Buffer.byteLength(text) }, `Wrote ${file}. Read it before you send it.`)
    return EXIT.ok
  },
}

/** Each section by itself: a bundle is asked for when something is broken. */
async function collect(call: Invocation): Promise<Readonly<Record<string, unknown>>> {
  const { loaded, io } = call
  const sections: Readonly<Record<string, () => unknown>> = {
    program: () => ({
      version: PRODUCT_VERSION,
      node: process.version,
      system: `${os.type()} ${os.release()} ${os.arch()}`,
      processors: os.availableParallelism(),
      memoryBytes: os.totalmem(),
    }),
    configuration: () =>
      shownConfig(loaded.config, loaded.sources).map(({ name, value, source }) => ({ name, value, source })),
    findings: async () => {
      const findings = await examine(doctorDeps(call), 'en-US')
      return findings.map(({ check, state, code }) => ({ check, state, code }))
    },
    storages: () =>
      withDatabase(call, async ({ db }) => {
        const storages = await listStorages({ db, data: loaded.config.data })
        return storages.map(({ id, kind, spaceIds, places, checkedAt, error }) => {
          return { id, kind, spaceIds, places, checkedAt, error: nameOfError(error) }
        })
      }),
    jobs: () =>
      withDatabase(call, async ({ db }) => {
        const failed = await listFailedJobs(db, { limit: FAILED_JOBS, offset: 0 })
        return {
          ...(await countJobs(db)),
          // Whose they were is nobody else's business.
          newestFailures: failed.map(({ kind, attempts, error, updated_at: failedAt }) => {
            return { kind, attempts, error: nameOfError(error), failedAt }
          }),
        }
      }),
    events: () =>
      withDatabase(call, async ({ db }) => ({
        subscribers: (await listSubscribers(db)).map((each) => ({ ...each, error: nameOfError(each.error) })),
        parked: (await listParked(db)).map(({ subscriber, type, attempts, error, parkedAt }) => {
          return { subscriber, type, attempts, error: nameOfError(error), parkedAt }
        }),
      })),
  }
  const bundle: Record<string, unknown> = { format: 'godwit-support-1', createdAt: new Date(io.clock.now()) }
  for (const [name, read] of Object.entries(sections)) {
    try {
      bundle[name] = await read()
    } catch (thrown) {
      bundle[name] = { fault: faultOf(thrown) }
    }
  }
  return bundle
}

/** An error without its words, which may hold paths and addresses: its code, or else its class. */
function nameOfError(error: string): string {
  if (Object.hasOwn(ERRORS, error)) return error
  // A word before a colon is not a class yet: it may be the name of a file.
  return /^(?:[A-Z][A-Za-z]*)?Error(?=: |$)/.exec(error)?.[0] ?? (error && 'other')
}

function faultOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'other'
  return 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : thrown.name
}

/** Readable by its owner alone. @throws CommandFailure where something is that must not be overwritten */
function write(file: string, text: string, mayReplace: boolean): void {
  try {
    fs.writeFileSync(file, text, { mode: 0o600, flag: mayReplace ? 'w' : 'wx' })
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown
    throw new CommandFailure(EXIT.refused, `${file} exists: choose another name, or replace it with --force`)
  }
}
