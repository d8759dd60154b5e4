import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { GwtProgram } from '../testing/programs.ts'
import { EXIT } from './arguments.ts'

const LOOK_MS = 20

let program: GwtProgram | undefined
afterEach(() => program?.stop())

/** Kills one side of a bench, as soon as both run. */
async function killSide({ child }: GwtProgram, side: 'send' | 'recv'): Promise<void> {
  while (child.exitCode === null) {
    const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
    const running = new Map<string, number>()
    for (const pid of children.split(' ').filter(Boolean)) {
      const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
      for (const word of ['send', 'recv']) if (words.includes(word)) running.set(word, Number(pid))
    }
    const pid = running.get(side)
    if (running.size === 2 && pid !== undefined) return void process.kill(pid, 'SIGKILL')
    await sleep(LOOK_MS)
  }
  throw new Error('both sides were never seen')
}

describe('gwt bench', () => {
  it.each(['send', 'recv'] as const)(
    'says that a way does not work whose %s side was killed, and goes on',
    async (side) => {
      program = new GwtProgram(['bench', '--size', '16M'])
      await killSide(program, side)
      expect(await program.exitCode()).toBe(EXIT.partial)
      const runs = program.events.filter(({ event }) => event === 'bench')
      expect(runs.map(({ backend, seconds }) => [backend, typeof seconds])).toEqual([
        ['batched', 'undefined'],
        ['portable', 'number'],
        ['off', 'number'],
      ])
    },
    120_000,
  )
})
