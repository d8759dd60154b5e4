import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { EXIT } from './exit-codes.ts'

const PROGRAM = join(import.meta.dirname, '../../bin/godwit.js')

it('a command whose output nobody reads does its work to the end, without the trace of an error', async () => {
  const command = spawn(process.execPath, [PROGRAM, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  command.stdout.destroy()
  const [said] = await Promise.all([text(command.stderr), once(command, 'close')])
  expect({ said, exitCode: command.exitCode }).toEqual({ said: '', exitCode: EXIT.ok })
})
