import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Autostart } from './autostart.ts'

describe('the start with the session', () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-autostart-'))
  const environment = { XDG_CONFIG_HOME: join(folder, 'config'), XDG_DATA_HOME: join(folder, 'data') }
  const autostart = new Autostart(environment, ['/opt/a b/node', String.raw`/home/100%/"$x\y"`])
  const read = (path: string): string => readFileSync(join(folder, path, 'godwit-client.desktop'), 'utf8')
  afterAll(() => rmSync(folder, { recursive: true }))

  it('is switched on and off, and the menu opens the page either way', async () => {
    expect(await autostart.isOn()).toBe(false)
    await autostart.set(true)
    expect(await autostart.isOn()).toBe(true)
    expect(read('config/autostart')).toMatch(/^Exec=.* run$/m)
    await autostart.set(false)
    await autostart.set(false)
    expect(await autostart.isOn()).toBe(false)
    expect(read('data/applications')).toMatch(/^Exec=.* open -- %u$/m)
    expect(read('data/applications')).toMatch(/^MimeType=x-scheme-handler\/godwit;$/m)
  })

  it('quotes what the specification of desktop entries wants quoted', () => {
    const [, exec] = /^Exec=(.*)$/m.exec(read('data/applications')) ?? []
    expect(exec).toBe(String.raw`"/opt/a b/node" "/home/100%%/\\"\\$x\\\\y\\"" open -- %u`)
  })
})
