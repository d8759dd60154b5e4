import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { secureRandom } from '@godwit/base'
import { launchGodwit } from '@godwit/testkit'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { VAULT_KEY } from '../../kernel/crypto/index.ts'
import { DATABASES } from '../../testing/worlds.ts'
import { adoptVaultKey, isVaultKeyKnown, requireVaultKey } from './vault-key.ts'

let top: string
beforeEach(() => void (top = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-key-'))))
afterEach(() => fs.rmSync(top, { recursive: true, force: true }))

for (const { dialect, open } of DATABASES) {
  it(`a database on ${dialect} takes the first key, refuses others, and takes one that is adopted`, async () => {
    await using world = await open()
    const { db } = world.database
    const deps = (folder: string) => ({ db, data: path.join(top, folder), random: secureRandom })
    expect(await isVaultKeyKnown(deps('one'))).toBe(false)
    expect(fs.existsSync(path.join(top, 'one'))).toBe(false)
    await requireVaultKey(deps('one'))
    await requireVaultKey(deps('one'))
    await expect(requireVaultKey(deps('two'))).rejects.toThrow('is missing')
    expect(fs.existsSync(path.join(top, 'two'))).toBe(false)
    fs.mkdirSync(path.join(top, 'two/keys'), { recursive: true })
    fs.writeFileSync(path.join(top, 'two', VAULT_KEY), secureRandom.fill(new Uint8Array(32)))
    await expect(requireVaultKey(deps('two'))).rejects.toThrow('is not the key')
    await adoptVaultKey(deps('two'))
    expect(await isVaultKeyKnown(deps('two'))).toBe(true)
    await expect(requireVaultKey(deps('one'))).rejects.toThrow('is not the key')
  })
}

describe('a server', () => {
  it('does not start with a wrong key or without one, makes no new one, and starts again with the right one', async () => {
    const first = await launchGodwit({ data: top })
    await first.stop()
    const file = path.join(top, VAULT_KEY)
    const right = fs.readFileSync(file)
    const wrong = secureRandom.fill(new Uint8Array(32))
    fs.writeFileSync(file, wrong)
    await expect(launchGodwit({ data: top })).rejects.toThrow(/ended with 5:\n[^]*is not the key[^]*Put it back/)
    expect(fs.readFileSync(file).equals(wrong)).toBe(true)
    fs.rmSync(file)
    await expect(launchGodwit({ data: top })).rejects.toThrow(/ended with 5:\n[^]*secrets\.key, the key .*is missing/)
    expect(fs.existsSync(file)).toBe(false)
    fs.writeFileSync(file, right)
    const again = await launchGodwit({ data: top })
    expect((await fetch(`${again.url}/readyz`)).status).toBe(200)
    await again.stop()
  })

  it('refuses to be a second one on a database whose files and keys it does not have', async () => {
    const url = await mariadbUrl()
    const env = { GODWIT_DATABASE_URL: url, GODWIT_LOG_LEVEL: 'warn' }
    const [one, two] = ['one', 'two'].map((node) => path.join(top, node)) as [string, string]
    const first = await launchGodwit({ data: one, env })
    await expect(launchGodwit({ data: two, env })).rejects.toThrow(/ended with 5:\n[^]*secrets\.key, the key/)
    fs.cpSync(path.join(one, 'keys'), path.join(two, 'keys'), { recursive: true })
    // The files are in the data folder of the first one, which no other server can reach.
    await expect(launchGodwit({ data: two, env })).rejects.toThrow(/ended with 5:\n[^]*Storage 1 .*(missing|mark)/)
    fs.symlinkSync(path.join(one, 'files'), path.join(two, 'files'))
    const second = await launchGodwit({ data: two, env })
    const warned = 'another server uses this database'
    await expect
      .poll(() => [first, second].map((node) => node.output().includes(warned)), { timeout: 30_000 })
      .toEqual([true, true])
    await second.stop()
    await first.stop()
  })
})
