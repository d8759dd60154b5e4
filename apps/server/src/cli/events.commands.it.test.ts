import { secureRandom, systemClock } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createOutbox } from '../kernel/events/index.ts'
import { fileEvent } from '../testing/file-events.ts'
import { openWorld, type World } from '../testing/worlds.ts'
import { EXIT } from './exit-codes.ts'
import { runCli } from './run.ts'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }

describe('godwit events', () => {
  let world: World
  let out: string
  beforeEach(async () => void (world = await openWorld()))
  afterEach(async () => world[Symbol.asyncDispose]())

  async function godwit(words: string): Promise<number> {
    out = ''
    const stdout = (text: string): void => void (out += text)
    const environment = { GODWIT_DATA: world.folder }
    const signal = new AbortController().signal
    const io = { stdout, stderr: stdout, environment, clock: systemClock, random: secureRandom, signal }
    return runCli(words.split(' '), io)
  }

  it('shows what was parked and why, and has the server try it again', async () => {
    let isBroken = true
    const handled: string[] = []
    const { db } = world.database
    const retries = { triesMax: 1, firstWaitMs: 1 }
    const outbox = createOutbox({ db, clock: world.clock, log: SILENT, retries })
    outbox.on('file.committed', {
      subscriber: 'search.files',
      handle: async ({ path }) => {
        if (isBroken) throw new Error('no index\nhere')
        handled.push(path)
      },
    })
    await outbox.start()
    await outbox.add(db, 'file.committed', fileEvent('/a'))
    outbox.nudge()
    const parked = async () => {
      expect(await godwit('events parked --json')).toBe(EXIT.ok)
      return JSON.parse(out) as Array<{ readonly position: number }>
    }
    await expect.poll(async () => (await parked()).length, { timeout: 20_000 }).toBe(1)
    expect(await godwit('events parked')).toBe(EXIT.ok)
    expect(out).toContain('search.files  1  file.committed  1 tries  Error: no index here')
    expect(await godwit('events list')).toBe(EXIT.ok)
    expect(out).toMatch(/search\.files +0 behind +0 tries +1 parked/)
    await godwit('doctor --json --port 0')
    expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ check: 'events', state: 'warning' }))
    expect(await godwit('events retry --event none')).toBe(EXIT.usage)
    expect(await godwit('events retry --subscriber nobody')).toBe(EXIT.notFound)
    isBroken = false
    expect(await godwit('events retry --subscriber search.files --event 1')).toBe(EXIT.ok)
    await expect.poll(() => handled, { timeout: 20_000 }).toEqual(['/a'])
    await expect.poll(parked, { timeout: 20_000 }).toEqual([])
    await outbox.stop()
  })
})
