import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { secureRandom } from '@godwit/base'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exportVaultKey, importVaultKey, openVault, VAULT_KEY, VaultError } from './index.ts'

describe('the vault', () => {
  let data: string
  beforeEach(() => void (data = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-vault-'))))
  afterEach(() => fs.rmSync(data, { recursive: true, force: true }))

  it('opens what it sealed, also after a restart, and shows nothing of it', () => {
    const vault = openVault(data, secureRandom)
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 8 }), fc.string(), (secret, purpose) => {
        const sealed = vault.seal(purpose, secret)
        expect(openVault(data, secureRandom).open(purpose, sealed)).toBe(secret)
        expect(sealed).not.toContain(secret)
        expect(vault.seal(purpose, secret)).not.toBe(sealed)
      }),
    )
  })

  it('opens nothing for another purpose, of another installation, or with a changed bit', () => {
    const vault = openVault(data, secureRandom)
    const sealed = vault.seal('mail', 'Sunrise-42x')
    expect(() => vault.open('totp', sealed)).toThrow(VaultError)
    const bytes = Buffer.from(sealed.slice(3), 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(() => vault.open('mail', `v1.${changed.toString('base64url')}`)).toThrow(VaultError)
    }
    for (const text of ['', 'v1.', 'v2.AAAA', 'Sunrise-42x']) expect(() => vault.open('mail', text)).toThrow(VaultError)
    fs.rmSync(path.join(data, VAULT_KEY))
    expect(() => openVault(data, secureRandom).open('mail', sealed)).toThrow(VaultError)
  })

  it('hashes short secrets with its key: differently for each purpose and installation', () => {
    const vault = openVault(data, secureRandom)
    const hash = vault.mac('code', '123456')
    expect(vault.mac('code', '123456')).toBe(hash)
    expect(vault.mac('code', '123457')).not.toBe(hash)
    expect(vault.mac('other', '123456')).not.toBe(hash)
    fs.rmSync(path.join(data, VAULT_KEY))
    expect(openVault(data, secureRandom).mac('code', '123456')).not.toBe(hash)
  })

  it('goes into a backup and comes back from it', () => {
    expect(exportVaultKey(data)).toBeUndefined()
    const sealed = openVault(data, secureRandom).seal('mail', 'Sunrise-42x')
    const key = exportVaultKey(data) ?? Buffer.alloc(0)
    const other = path.join(data, 'restored')
    openVault(other, secureRandom)
    importVaultKey(other, key)
    expect(openVault(other, secureRandom).open('mail', sealed)).toBe('Sunrise-42x')
    expect(() => importVaultKey(other, key.subarray(1))).toThrow('damaged')
  })

  it('keeps its key from others, and refuses a damaged or empty one', () => {
    openVault(data, secureRandom)
    const file = path.join(data, VAULT_KEY)
    expect(fs.statSync(file).mode & 0o077).toBe(0)
    expect(fs.readdirSync(path.dirname(file))).toEqual(['secrets.key'])
    for (const damaged of [Buffer.alloc(0), Buffer.alloc(32), Buffer.alloc(31, 1)]) {
      fs.writeFileSync(file, damaged)
      expect(() => openVault(data, secureRandom)).toThrow('damaged')
    }
  })
})
