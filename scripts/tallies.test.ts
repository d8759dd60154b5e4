import { describe, expect, it } from 'vitest'
import { closingLine, playwrightTally, vitestTally } from './tallies.ts'

const vitest = (counts: object, testResults: readonly object[] = []): string =>
  JSON.stringify({
    numPassedTests: 0,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults,
    ...counts,
  })

const playwright = (stats: object, errors: readonly object[] = []): string =>
  JSON.stringify({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats }, errors })

describe('the tally of a vitest run', () => {
  it('counts what passed and what failed', () => {
    const tally = vitestTally('unit', vitest({ numPassedTests: 7, numFailedTests: 2 }), false)
    expect(tally).toEqual({ suite: 'unit', passed: 7, failed: 2, notes: [] })
  })

  it('fails a run that executed no test', () => {
    expect(vitestTally('unit', vitest({}), true)).toMatchObject({ failed: 1, notes: ['no test was executed'] })
  })

  it('fails a run that left no report', () => {
    expect(vitestTally('unit', '', true).failed).toBe(1)
  })

  it('counts a skipped test as failed', () => {
    expect(vitestTally('unit', vitest({ numPassedTests: 7, numPendingTests: 1, numTodoTests: 1 }), true).failed).toBe(2)
  })

  it('says which tests could not run because no disk may be mounted, and counts only other skipped ones', () => {
    const files = [
      {
        name: 'a.it.test.ts',
        status: 'passed',
        assertionResults: [
          { status: 'skipped', title: 'loses nothing [mounts a disk]' },
          { status: 'skipped', title: 'another' },
        ],
      },
    ]
    const tally = vitestTally('integration', vitest({ numPassedTests: 7, numPendingTests: 2 }, files), true)
    expect(tally).toMatchObject({ passed: 7, failed: 1 })
    expect(tally.notes.join()).toMatch(/1 skipped.*1 not run: they mount a disk/)
  })

  it('counts a file that did not load as failed', () => {
    const files = [{ name: 'a.test.ts', status: 'failed', assertionResults: [] }]
    const tally = vitestTally('unit', vitest({ numPassedTests: 7 }, files), false)
    expect(tally).toMatchObject({ failed: 1, notes: ['did not load: a.test.ts'] })
  })

  it('names what failed, with the first line of the reason', () => {
    const result = { status: 'failed', title: 'b', fullName: 'a > b', failureMessages: ['Error: no\n  at x'] }
    const files = [{ name: '/somewhere/c.it.test.ts', status: 'failed', assertionResults: [result] }]
    const tally = vitestTally('integration', vitest({ numPassedTests: 7, numFailedTests: 1 }, files), false)
    expect(tally).toMatchObject({ failed: 1, notes: ['failed: a > b (c.it.test.ts): Error: no'] })
  })

  it('fails a run whose runner failed although every test passed', () => {
    expect(vitestTally('unit', vitest({ numPassedTests: 7 }), false).failed).toBe(1)
  })
})

describe('the tally of a playwright run', () => {
  it('counts a test that passed on a second try as failed', () => {
    expect(playwrightTally('e2e', playwright({ expected: 3, flaky: 2 }), true)).toMatchObject({ passed: 3, failed: 2 })
  })

  it('counts a file that did not load as failed', () => {
    expect(playwrightTally('e2e', playwright({}, [{ message: 'no such module' }]), false).failed).toBe(1)
  })

  it('fails a run that executed no test', () => {
    expect(playwrightTally('e2e', playwright({}), true).failed).toBe(1)
  })
})

describe('the closing line', () => {
  it('adds up the suites', () => {
    const tallies = [
      { suite: 'unit', passed: 5, failed: 0, notes: [] },
      { suite: 'e2e', passed: 3, failed: 1, notes: [] },
    ]
    expect(closingLine(tallies)).toBe('8 passed, 1 failed')
  })
})
