import { verifyLog } from '../foundation/operation-log/index.ts'
import { verify, type VerifyReport } from '../oversight/maintenance/index.ts'
import type { Command, Invocation } from './command.types.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { withDatabase, withMaintenance } from './installation.ts'

export const verifyCommand: Command = {
  name: 'verify',
  summary:
    'Compare the storage with what the database knows of it; --all reads every byte back, --log the operation log',
  positionals: [],
  options: {
    all: { type: 'boolean', summary: 'Read every file and compare its hash with the one recorded when it came' },
    log: { type: 'boolean', summary: 'Prove instead that the operation log is whole and unchanged' },
    repair: {
      type: 'boolean',
      summary: 'Correct booked bytes, and record hashes that are missing or out of date, to what is there',
    },
  },
  examples: [
    'godwit verify',
    'godwit verify --repair',
    'godwit verify --log',
    'godwit verify --all --json > report.json',
  ],
  run: async (call) => {
    if (call.options['log'] === true) return proveLog(call)
    const all = call.options['all'] === true
    const report = await withMaintenance(call, (deps) => verify(deps, { all, repair: call.options['repair'] === true }))
    call.show(report, describe(report, all))
    const isWrong = report.problems.length > 0 || report.usage.some(({ isRepaired }) => !isRepaired)
    return !isWrong ? EXIT.ok : EXIT.problems
  },
}

async function proveLog(call: Invocation): Promise<ExitCode> {
  const report = await withDatabase(call, ({ db }) => verifyLog(db))
  const lines = report.faults.map(({ seq, fault }) => `${fault.padEnd(10)}  row ${seq}`)
  const outcome = report.faults.length === 0 ? 'The log is whole and unchanged.' : 'The log was tampered with.'
  call.show(report, [`${report.rows} rows`, ...lines, outcome].join('\n'))
  return report.faults.length === 0 ? EXIT.ok : EXIT.problems
}

function describe(report: VerifyReport, isAll: boolean): string {
  const { files, bytes, recorded, intact, changed, changedCount, unrecordedCount, orphanHomes, orphanParts, problems } =
    report
  return [
    `${files} files, ${bytes} bytes; ${recorded} with a noted hash, ${unrecordedCount} without, ${changedCount} changed from outside`,
    ...(isAll ? [`${intact} read back and intact`] : ['bytes were not read: godwit verify --all does']),
    ...changed.map((key) => `changed  ${printable(key)}: written to from outside since it was stored`),
    ...orphanHomes.map((home) => `orphan   ${printable(home)}: no account has this folder`),
    ...orphanParts.map((id) => `orphan   ${id}: hidden bytes that no upload owns`),
    ...problems.map(({ kind, key, reason }) => `${kind.padEnd(10)}  ${printable(key)}: ${printable(reason)}`),
    ...report.hashes.map(({ key, change }) => `hash     ${printable(key)}: ${CHANGES[change]}`),
    ...(report.hashCount > report.hashes.length ? [`and ${report.hashCount - report.hashes.length} more hashes`] : []),
    ...report.usage.map(describeUsage),
    problems.length === 0 ? 'No problems.' : `${problems.length} problems.`,
  ].join('\n')
}

const CHANGES: Readonly<Record<VerifyReport['hashes'][number]['change'], string>> = {
  recorded: 'recorded, there was none',
  renewed: 'renewed, the file was written to from outside',
  retagged: 'kept, its content is the one that was stored',
}

function describeUsage({ account, recorded, actual, isRepaired }: VerifyReport['usage'][number]): string {
  const sides = [recorded, actual].map(
    ({ usedBytes, reservedBytes }) => `${usedBytes} used and ${reservedBytes} reserved`,
  )
  const outcome = isRepaired ? 'corrected' : 'it kept changing: try again'
  return `usage    ${printable(account)}: booked ${sides.join(', there ')} bytes; ${outcome}`
}

/** Names come from people; a terminal must not obey them. */
function printable(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '?')
}
