import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Measured, Table } from '../figures.ts'

const PROGRAM = path.join(import.meta.dirname, '../../../e2e/budgets/main.ts')
const TIMEOUT_MS = 3_600_000

/** What the pages may cost at most, in a real Chromium: paints, answers, long lists, large drops, and the points of Lighthouse. */
export async function budgetsLoad(runs: number): Promise<Table> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, String(runs)], { timeout: TIMEOUT_MS })
  const rows = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as readonly Measured[]
  return { load: 'Budgets', conditions: `pages in Chromium, ${runs} runs`, rows }
}
