import { listFeatures } from '../app.ts'
import { createLog } from '../kernel/log.ts'
import { openKernel } from '../kernel/kernel.ts'
import { examine, type DoctorDeps } from '../oversight/maintenance/index.ts'
import type { Command, Invocation } from './command.types.ts'
import { EXIT } from './exit-codes.ts'
import { isInstalled, withDatabase, withStorages } from './installation.ts'

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Look for what would keep the server from working, each with what mends it',
  positionals: [],
  options: {},
  examples: ['godwit doctor', 'godwit doctor --data /srv/godwit --json'],
  run: async (call) => {
    const findings = await examine(doctorDeps(call), 'en-US')
    const lines = findings.map(({ check, state, message, fix }) =>
      [
        `${state.padEnd(7)}  ${check.padEnd(11)}  ${message}`,
        ...(fix === undefined ? [] : [`${' '.repeat(22)}mend: ${fix}`]),
      ].join('\n'),
    )
    call.show(findings, lines.join('\n'))
    return findings.some(({ state }) => state === 'problem') ? EXIT.problems : EXIT.ok
  },
}

/** For an examination from outside of the server. */
export function doctorDeps(call: Invocation): DoctorDeps {
  return {
    config: call.loaded.config,
    clock: call.io.clock,
    random: call.io.random,
    isInstalled: isInstalled(call),
    isRunning: false,
    withDatabase: (work) => withDatabase(call, work),
    withStorages: (work) => withDatabase(call, (database) => withStorages(call, database, work)),
    withChecks: (work) => withDatabase(call, async (database) => work(featureChecks(call, database))),
  }
}

/** What the features check, of a server that is put together and never started. */
function featureChecks({ io, loaded }: Invocation, database: Parameters<Parameters<DoctorDeps['withDatabase']>[0]>[0]) {
  const { clock, random } = io
  const kernel = openKernel({ config: loaded.config, log: createLog('silent'), clock, random, database })
  const { all } = listFeatures(kernel, { web: undefined, documentation: undefined })
  return all.flatMap(({ checks = [] }) => checks)
}
