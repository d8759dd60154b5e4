import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

describe('a stack trace of the bundle', () => {
  let folder = ''
  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'stack-traces-')))
    fs.mkdirSync(path.join(folder, 'dist'))
    fs.writeFileSync(path.join(folder, 'dist/program.js'), 'export function fail(){throw new Error("no\\nluck")}')
    // `throw`, in line 1 of the bundle, stands in line 7 of the source from column 3 on; the error is made at column 9.
    const map = { version: 3, sources: ['../src/deep/fail.ts'], names: [], mappings: 'uBAME' }
    fs.writeFileSync(path.join(folder, 'dist/program.js.map'), JSON.stringify(map))
  })
  afterEach(() => fs.rmSync(folder, { recursive: true }))

  async function traceOf(call: string): Promise<string> {
    const script = `
      import { traceSources } from ${JSON.stringify(path.join(import.meta.dirname, 'stack-traces.ts'))}
      traceSources(${JSON.stringify(path.join(folder, 'dist/program.js'))})
      const { fail } = await import(${JSON.stringify(path.join(folder, 'dist/program.js'))})
      try { ${call} } catch (error) { console.log(error.stack) }`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    return stdout
  }

  it('names the file and line of the source', async () => {
    const trace = await traceOf('fail()')
    expect(trace).toMatch(/^Error: no\nluck\n {4}at fail \(file:/)
    expect(trace).toContain(`at fail (file://${folder}/src/deep/fail.ts:7:9)`)
    expect(trace).not.toContain('program.js')
  })

  it('is the usual one for code outside the bundle, for which the map is not read', async () => {
    fs.rmSync(path.join(folder, 'dist/program.js.map'))
    expect(await traceOf('null.x')).toMatch(/^TypeError: Cannot read properties of null \(reading 'x'\)\n {4}at file:/)
  })

  it('shows the place in the bundle when the map is missing', async () => {
    fs.rmSync(path.join(folder, 'dist/program.js.map'))
    expect(await traceOf('fail()')).toContain('dist/program.js:1:')
  })
})
