import { basename } from 'node:path'

/** What a test runner executed. */
export interface Tally {
  readonly suite: string
  readonly passed: number
  readonly failed: number
  /** What a person must know beside the numbers: nothing executed, something skipped, a file that did not load. */
  readonly notes: readonly string[]
}

interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly VitestResult[]
  }>
}

interface VitestResult {
  readonly status: string
  readonly title: string
  readonly fullName?: string
  readonly failureMessages?: readonly string[]
}

interface PlaywrightReport {
  readonly stats: {
    readonly expected: number
    readonly unexpected: number
    readonly flaky: number
    readonly skipped: number
  }
  readonly errors: ReadonlyArray<{ readonly message?: string }>
}

/** Ends the title of a test that mounts a disk. It is left out where the system does not allow that, and the tally says so. */
const MOUNTS = '[mounts a disk]'

const MAX_REASON_CHARS = 300

/** @param json what vitest's json reporter wrote; a report that is not there is the empty string */
export function vitestTally(suite: string, json: string, exitedWell: boolean): Tally {
  if (json === '') return missingReport(suite)
  const report = JSON.parse(json) as VitestReport
  const broken = report.testResults
    .filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
    .map(({ name }) => `did not load: ${name}`)
  const faults = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map((result) => faultLine(name, result)),
  )
  const unmounted = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, title }) => ['skipped', 'pending'].includes(status) && title.endsWith(MOUNTS)).length
  const skipped = report.numPendingTests + report.numTodoTests - unmounted
  const counts = { passed: report.numPassedTests, failed: report.numFailedTests, skipped }
  const tally = settle({ suite, ...counts, broken, faults, exitedWell })
  const note = `${unmounted} not run: they mount a disk, which this account or this system may not`
  return unmounted === 0 ? tally : { ...tally, notes: [...tally.notes, note] }
}

/** One line for a failed test: a log that keeps only its end still tells what failed. */
function faultLine(file: string, { title, fullName = title, failureMessages = [] }: VitestResult): string {
  const reason = (failureMessages[0] ?? 'no reason given').split('\n', 1)[0] ?? ''
  return `failed: ${fullName} (${basename(file)}): ${reason.slice(0, MAX_REASON_CHARS)}`
}

export function playwrightTally(suite: string, json: string, exitedWell: boolean): Tally {
  if (json === '') return missingReport(suite)
  const { stats, errors } = JSON.parse(json) as PlaywrightReport
  const broken = errors.map(({ message }) => `did not load: ${message ?? 'unknown'}`)
  // A test that passed on a second try failed on its first.
  const counts = { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped }
  return settle({ suite, ...counts, broken, faults: [], exitedWell })
}

/** The line that ends a test run: machines read it, so its form is fixed. */
export function closingLine(tallies: readonly Tally[]): string {
  const sum = (of: 'passed' | 'failed'): number => tallies.reduce((total, tally) => total + tally[of], 0)
  return `${sum('passed')} passed, ${sum('failed')} failed`
}

interface Count {
  readonly suite: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly broken: readonly string[]
  readonly faults: readonly string[]
  readonly exitedWell: boolean
}

/** A skipped test, a file that did not load and a suite without a test each count as one failure or more. */
function settle({ suite, passed, failed, skipped, broken, faults, exitedWell }: Count): Tally {
  const notes = [...broken, ...faults]
  if (skipped > 0) notes.push(`${skipped} skipped: a test runs or is removed`)
  if (passed + failed === 0) notes.push('no test was executed')
  const counted = failed + skipped + broken.length
  const missed = counted === 0 && (!exitedWell || passed === 0) ? 1 : 0
  if (missed === 1 && passed > 0) notes.push('the runner failed although every test passed')
  return { suite, passed, failed: counted + missed, notes }
}

function missingReport(suite: string): Tally {
  return { suite, passed: 0, failed: 1, notes: ['the runner ended without a report'] }
}
