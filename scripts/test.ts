import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { check, printTallies, readReport, vitestCommand } from './check.ts'
import { ROOT, runCommand, type Command } from './steps.ts'
import { requireSystemPackages } from './system-packages.ts'
import { closingLine, playwrightTally, vitestTally, type Tally } from './tallies.ts'

/**
 * `npm test`: everything. `npm run test:matrix`: the pages in every language, theme and width. `npm run torture` and `npm run fuzz`: the fault plan and the decoders at full count.
 * `npm run torture -- memory` runs the files with that word in their names.
 * The last line is `N passed, N failed`; the exit code is 0 only when nothing failed, nothing was skipped and every suite ran.
 */

const MINUTE_MS = 60_000

const MODES = {
  everything: [check, buildAll, integration, () => endToEnd({})],
  matrix: [buildAll, () => endToEnd({ E2E_MATRIX: '1' })],
  torture: [(words) => vitest('torture', 600 * MINUTE_MS, words)],
  fuzz: [(words) => vitest('fuzz', 600 * MINUTE_MS, words)],
} as const satisfies Record<string, ReadonlyArray<(words: readonly string[]) => Promise<readonly Tally[]>>>

function integration(): Promise<readonly Tally[]> {
  return vitest('integration', 60 * MINUTE_MS)
}

async function vitest(project: string, timeoutMs: number, words: readonly string[] = []): Promise<readonly Tally[]> {
  const report = `artifacts/test/${project}.json`
  const ok = await live(project, report, { argv: [...vitestCommand(project, report), ...words], timeoutMs })
  return [vitestTally(project, await readReport(report), ok)]
}

async function endToEnd(env: Readonly<Record<string, string>>): Promise<readonly Tally[]> {
  const report = 'artifacts/test/e2e.json'
  const ok = await live('end to end', report, {
    argv: ['playwright', 'test', '--config', 'e2e/playwright.config.ts'],
    timeoutMs: 60 * MINUTE_MS,
    env: { ...env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1', E2E_REPORT: join(ROOT, report) },
  })
  return [playwrightTally('e2e', await readReport(report), ok)]
}

async function buildAll(): Promise<readonly Tally[]> {
  const works = await live('build', undefined, { argv: ['node', 'scripts/build.ts'] })
  // What a first visit loads has a limit.
  const fits = works && (await live('size of the pages', undefined, { argv: ['node', 'apps/web/scripts/budget.ts'] }))
  const passed = Number(works) + Number(fits)
  return [{ suite: 'build', passed, failed: 2 - passed, notes: [] }]
}

async function live(name: string, report: string | undefined, command: Command): Promise<boolean> {
  console.log(`\n== ${name}`)
  if (report !== undefined) await rm(join(ROOT, report), { force: true })
  const { ok, output } = await runCommand({ ...command, live: true })
  if (output !== '') console.log(output)
  return ok
}

async function main(mode: string, words: readonly string[]): Promise<number> {
  if (!isMode(mode)) throw new Error(`unknown kind of test run: ${mode}; one of ${Object.keys(MODES).join(', ')}`)
  const lacking = await requireSystemPackages('test')
  if (lacking !== undefined) {
    console.error(lacking)
    return 1
  }
  const tallies: Tally[] = []
  for (const suite of MODES[mode]) tallies.push(...(await suite(words)))
  console.log('')
  printTallies(tallies)
  console.log(closingLine(tallies))
  return tallies.every(({ failed }) => failed === 0) ? 0 : 1
}

function isMode(mode: string): mode is keyof typeof MODES {
  return Object.hasOwn(MODES, mode)
}

process.exitCode = await main(process.argv[2] ?? 'everything', process.argv.slice(3))
