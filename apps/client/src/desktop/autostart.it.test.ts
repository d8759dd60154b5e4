import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Autostart } from './autostart.ts'

describe('an address that xdg-open opens', () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-address-'))
  const [program, said] = [join(folder, 'program'), join(folder, 'said')]
  const environment = { XDG_CONFIG_HOME: join(folder, 'config'), XDG_DATA_HOME: join(folder, 'data') }

  beforeAll(async () => {
    writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > "${said}"\n`, { mode: 0o755 })
    await new Autostart(environment, [program]).set(false)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each([
    'godwit://open?server=https%3A%2F%2Ffiles.example.org',
    'godwit://open --token-file /etc/passwd',
    'godwit://open";touch evil;"$(touch evil)',
    'godwit://open%20%f%25u',
  ])('reaches the program as one word behind its options: %s', (address) => {
    const env = { ...environment, PATH: process.env['PATH'], HOME: folder, XDG_CURRENT_DESKTOP: '', DISPLAY: ':none' }
    execFileSync('xdg-open', [address], { env, cwd: folder })
    expect(readFileSync(said, 'utf8')).toBe(`open\n--\n${address}\n`)
  })
})
