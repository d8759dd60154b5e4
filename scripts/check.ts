import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkDiagram } from './layers.ts'
import { checkOpenApi } from './openapi.ts'
import { checkSettings } from './settings.ts'
import { ROOT, runSteps, type Step } from './steps.ts'
import { vitestTally, type Tally } from './tallies.ts'
import { checkText } from './text-rules.ts'
import { checkUnusedContract } from './unused-contract.ts'

/** `npm run check`: types, lint, layers, format, unused code and unit tests, in under two minutes on two cores. */

const UNIT_REPORT = 'artifacts/test/unit.json'
/** A slow machine may need it; in minutes the work of seconds. */
const THIRTY_MINUTES_MS = 1_800_000

const STEPS: readonly Step[] = [
  { name: 'unit tests', work: { argv: vitestCommand('unit', UNIT_REPORT), timeoutMs: THIRTY_MINUTES_MS } },
  { name: 'types', work: { argv: ['tsc', '--noEmit', '-p', 'tsconfig.json'] } },
  { name: 'types web', work: { argv: ['tsc', '--noEmit', '-p', 'apps/web'] } },
  { name: 'types e2e', work: { argv: ['tsc', '--noEmit', '-p', 'e2e'] } },
  { name: 'lint and layers', work: { argv: ['oxlint', '--deny-warnings', '--report-unused-disable-directives'] } },
  { name: 'layer diagram', work: checkDiagram },
  { name: 'openapi', work: checkOpenApi },
  { name: 'settings page', work: checkSettings },
  { name: 'text rules', work: checkText },
  { name: 'unused contract', work: checkUnusedContract },
  { name: 'unused code', work: { argv: ['knip', '--no-progress', '--no-config-hints'] } },
  { name: 'format', work: { argv: ['oxfmt', '--check'] } },
]

/** Runs every step. Returns the unit tests' tally, then one tally for the other steps, each counted as one test. */
export async function check(): Promise<readonly Tally[]> {
  await rm(join(ROOT, UNIT_REPORT), { force: true })
  await mkdir(dirname(join(ROOT, UNIT_REPORT)), { recursive: true })
  const [unit, ...others] = await runSteps(STEPS, 2)
  const failed = others.filter(({ ok }) => !ok)
  return [
    vitestTally('unit', await readReport(UNIT_REPORT), unit?.ok === true),
    {
      suite: 'check',
      passed: others.length - failed.length,
      failed: failed.length,
      notes: failed.map(({ name }) => `${name} failed`),
    },
  ]
}

/** A vitest run of one project with a line per file for people and a report for the tally. */
export function vitestCommand(project: string, report: string): [string, ...string[]] {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return ['vitest', 'run', '--project', project, ...reporters]
}

/** What a runner wrote, or nothing when it ended before it wrote. */
export async function readReport(path: string): Promise<string> {
  try {
    return await readFile(join(ROOT, path), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

/** Prints one line for each tally and its notes. */
export function printTallies(tallies: readonly Tally[]): void {
  for (const { suite, passed, failed, notes } of tallies) {
    console.log(
      `${suite.padEnd(12)} ${passed} passed, ${failed} failed${notes.map((note) => `\n  - ${note}`).join('')}`,
    )
  }
}

if (import.meta.main) {
  const begun = performance.now()
  const tallies = await check()
  printTallies(tallies)
  const isGreen = tallies.every(({ failed }) => failed === 0)
  console.log(`check ${isGreen ? 'passed' : 'FAILED'} in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  process.exitCode = isGreen ? 0 : 1
}
