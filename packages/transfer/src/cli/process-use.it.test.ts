import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { MiB } from '@godwit/base'
import { expect, it } from 'vitest'

const MODULE = join(import.meta.dirname, 'process-use.ts')
const SAYS = `const { processUse } = await import(${JSON.stringify(MODULE)}); console.log(JSON.stringify(processUse()))`
/** A program that is large itself starts one that is not. */
const STARTS = `
const large = Buffer.alloc(400 * 2 ** 20, 1)
const { execFileSync } = await import('node:child_process')
process.stdout.write(execFileSync(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(SAYS)}]))
if (large[7] !== 1) throw new Error('the memory was not kept')
`

it('the memory of a program is its own, not that of the one which started it', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', STARTS])
  const { cpuSeconds, peakMemoryBytes } = JSON.parse(stdout) as { cpuSeconds: number; peakMemoryBytes: number }
  expect(cpuSeconds).toBeGreaterThan(0)
  expect(peakMemoryBytes).toBeGreaterThan(20 * MiB)
  expect(peakMemoryBytes).toBeLessThan(300 * MiB)
})
