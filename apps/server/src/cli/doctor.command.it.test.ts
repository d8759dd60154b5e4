import fs from 'node:fs'
import path from 'node:path'
import { mariadbUrl } from '@godwit/testkit/engines'
import { describe, expect, it } from 'vitest'
import { commandSite } from './testing/command-site.ts'

const site = commandSite()
const { godwit, databaseAt } = site

describe('godwit doctor', () => {
  it('finds nothing wrong with a fresh folder but what nobody has set up yet', async () => {
    expect(await godwit('doctor --json --port 0')).toBe(0)
    const findings = JSON.parse(site.out) as Array<{ check: string; state: string; fix?: string }>
    expect(findings.filter(({ state }) => state !== 'ok').map(({ check }) => check)).toEqual([
      'accounts',
      'mail',
      'address',
    ])
  })
  it('makes nothing where nothing is installed yet', async () => {
    const nowhere = path.join(site.world.folder, 'nowhere')
    expect(await godwit(`doctor --json --port 0 --data ${nowhere}`)).toBe(0)
    const findings = JSON.parse(site.out) as Array<{ check: string; state: string }>
    expect(findings.filter(({ state }) => state !== 'ok').map(({ check }) => check)).toEqual([
      'database',
      'accounts',
      'mail',
      'address',
    ])
    expect(fs.existsSync(nowhere)).toBe(false)
  })
  it('says whether films can be made playable', async () => {
    expect(await godwit('doctor')).toBe(0)
    expect(site.out).toContain('/ffmpeg makes films playable that browsers cannot play')
    expect(await godwit('doctor --preview-video /nowhere/ffmpeg')).toBe(0)
    expect(site.out).toMatch(/warning +films +FFmpeg was not found/)
  })
  it('names an address that is not of this machine', async () => {
    expect(await godwit('doctor --host 999.1.1.1')).toBe(1)
    expect(site.out).toContain('problem  port         999.1.1.1 is no address of this machine')
  })
  it('names an unreachable database and what mends it', async () => {
    expect(await godwit('doctor --json --database-url mysql://root@127.0.0.1:1/none')).toBe(1)
    const findings = JSON.parse(site.out) as Array<{ check: string; state: string; fix?: string }>
    expect(findings.find(({ check }) => check === 'database')?.fix).toContain('GODWIT_DATABASE_URL')
  })
  it('passes on what the database says, without the password', async () => {
    const url = new URL(await mariadbUrl())
    url.username = 'stranger'
    url.password = 'Planted-Db-9x'
    expect(await godwit('doctor --json --port 0', { environment: databaseAt(url.href) })).toBe(1)
    const findings = JSON.parse(site.out) as Array<{ check: string; message: string }>
    expect(findings.find(({ check }) => check === 'database')?.message).toMatch(/Access denied for user 'stranger'/)
    expect(site.out).not.toContain('Planted')
  })
})
