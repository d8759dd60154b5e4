import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { systemClock } from '@godwit/base'
import { launchGodwit } from '@godwit/testkit'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isDataFolderLocked, lockDataFolder } from './data-lock.ts'

let top: string
beforeEach(() => void (top = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-lock-'))))
afterEach(() => fs.rmSync(top, { recursive: true, force: true }))

describe('a data folder', () => {
  it('belongs to one server; a second one is refused, with whose it is and what to do', async () => {
    const first = await launchGodwit({ data: top })
    const second = launchGodwit({ data: top })
    await expect(second).rejects.toThrow(/ended with 5:\n[^]*which started at 20.*with --data/)
    await expect(second).rejects.toThrow(`in use by process ${first.pid} on ${os.hostname()}`)
    fs.symlinkSync(top, `${top}-link`)
    await expect(launchGodwit({ data: `${top}-link` })).rejects.toThrow('in use by process')
    fs.unlinkSync(`${top}-link`)
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
    await first.end('SIGKILL')
    const third = await launchGodwit({ data: top })
    await third.stop()
    expect(fs.readdirSync(top)).not.toContain('server.lock.json')
  })

  it('is made where it is missing, also with a database server', async () => {
    const data = path.join(top, 'not/there')
    const server = await launchGodwit({ data, env: { GODWIT_DATABASE_URL: await mariadbUrl() } })
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    await expect(launchGodwit({ data, env: { GODWIT_DATABASE_URL: await mariadbUrl() } })).rejects.toThrow('in use by')
    await server.stop()
  })

  it('is free again after its lock is released', () => {
    expect(isDataFolderLocked(top)).toBe(false)
    const lock = lockDataFolder(top, systemClock)
    expect(fs.readdirSync(top).toSorted()).toEqual(['server.lock', 'server.lock.json'])
    expect(isDataFolderLocked(top)).toBe(true)
    expect(() => lockDataFolder(top, systemClock)).toThrow(`in use by process ${process.pid}`)
    expect(isDataFolderLocked(top)).toBe(true)
    lock.release()
    expect(isDataFolderLocked(top)).toBe(false)
    lockDataFolder(top, systemClock).release()
  })

  it('is not locked by a lock file that a killed server or a copy left behind', () => {
    fs.writeFileSync(path.join(top, 'server.lock'), '')
    fs.writeFileSync(path.join(top, 'server.lock.json'), '{"pid":1')
    expect(isDataFolderLocked(top)).toBe(false)
    lockDataFolder(top, systemClock).release()
  })
})
