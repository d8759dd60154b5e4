import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startBus, startLogind } from '../testing/message-bus.ts'
import { KeepAwake } from './keep-awake.ts'

const TAKEN = 'taken sleep:idle Godwit block'
const RELEASED = 'released sleep:idle'

describe('a computer that transfers', () => {
  it('is kept awake from the first transfer to the last, however the client ends', async () => {
    await using bus = await startBus()
    await using logind = await startLogind(bus.address)
    const environment = { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: bus.address }
    const failures: string[] = []
    using awake = new KeepAwake(environment, (reason) => failures.push(reason))
    for (const round of [1, 2]) {
      awake.set(true)
      awake.set(true)
      expect([round, await logind.next()]).toEqual([round, TAKEN])
      awake.set(false)
      awake.set(false)
      expect(await logind.next()).toBe(RELEASED)
    }
    expect(failures).toEqual([])

    // Killed while it holds the lock.
    const code = `import { KeepAwake } from ${JSON.stringify(join(import.meta.dirname, 'keep-awake.ts'))}
      new KeepAwake(process.env, console.error).set(true)
      setInterval(() => undefined, 1000)`
    const client = spawn(process.execPath, ['--input-type=module', '--eval', code], { env: environment })
    expect(await logind.next()).toBe(TAKEN)
    client.kill('SIGKILL')
    expect(await logind.next()).toBe(RELEASED)
  }, 60_000)

  it('may fall asleep where nobody hands out locks, which is said once', async () => {
    await using bus = await startBus()
    const failures = new EventTarget()
    let count = 0
    using awake = new KeepAwake({ ...process.env, DBUS_SYSTEM_BUS_ADDRESS: bus.address }, () => {
      count++
      failures.dispatchEvent(new Event('failure'))
    })
    const failed = once(failures, 'failure')
    awake.set(true)
    await failed
    awake.set(false)
    awake.set(true)
    expect(count).toBe(1)
  }, 60_000)
})
