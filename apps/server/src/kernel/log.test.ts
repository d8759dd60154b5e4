import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { KiB } from '@godwit/base'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLog } from './log.ts'

let folder: string
let pipe: number

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-log-'))
  await promisify(execFile)('mkfifo', [path.join(folder, 'pipe')])
  pipe = fs.openSync(path.join(folder, 'pipe'), fs.constants.O_RDWR | fs.constants.O_NONBLOCK)
})
afterEach(() => {
  fs.closeSync(pipe)
  fs.rmSync(folder, { recursive: true })
})

/** @returns what is in the pipe now */
function read(): string {
  const parts: Buffer[] = []
  const part = Buffer.alloc(64 * KiB)
  for (;;) {
    try {
      const bytes = fs.readSync(pipe, part)
      parts.push(Buffer.from(part.subarray(0, bytes)))
    } catch {
      return Buffer.concat(parts).toString() // Empty for now.
    }
  }
}

it('drops what a stalled reader does not take, and says how much once it reads again', async () => {
  const LINES = 5_000
  const log = createLog('info', { fd: pipe, maxWaitingBytes: 128 * KiB })
  for (let at = 0; at < LINES; at++) log.info({ at, filler: 'x'.repeat(200) }, 'a line')
  let output = ''
  await vi.waitFor(
    () => {
      output += read()
      expect(output).toContain('were dropped')
    },
    { timeout: 60_000 },
  )
  const lines = output.trimEnd().split('\n')
  const kept = lines.slice(0, -1).map((line) => JSON.parse(line) as { readonly at: number })
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ level: 40, lines: LINES - kept.length })
  expect(kept.map(({ at }) => at)).toEqual(kept.map((_, at) => at))
  expect(output.length).toBeLessThan(256 * KiB)
  log.info('and on')
  await vi.waitFor(() => expect((output += read())).toContain('and on'), { timeout: 60_000 })
})
