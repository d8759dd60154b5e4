import { secureRandom, seededRandom } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import {
  decoyHash,
  hashPassword,
  hashToken,
  newToken,
  secretsEqual,
  transferPassword,
  verifyPassword,
} from './index.ts'

describe('passwords', () => {
  it('are verified against their argon2id hash and no other', async () => {
    const stored = await hashPassword('Sunrise-42x', secureRandom)
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await verifyPassword('Sunrise-42x', stored)).toBe(true)
    expect(await verifyPassword('Sunrise-42X', stored)).toBe(false)
  })
  it('are salted: the same password never has the same hash', async () => {
    expect(await hashPassword('Sunrise-42x', secureRandom)).not.toBe(await hashPassword('Sunrise-42x', secureRandom))
  })
  it('have decoys that look the same, match nothing, and keep to their seed', async () => {
    const decoy = decoyHash(hashToken('nobody'))
    expect(decoy.replace(/\$[^$]+\$[^$]+$/, '')).toBe(
      (await hashPassword('x', secureRandom)).replace(/\$[^$]+\$[^$]+$/, ''),
    )
    expect(decoy).toHaveLength((await hashPassword('x', secureRandom)).length)
    expect(decoyHash(hashToken('nobody'))).toBe(decoy)
    expect(decoyHash(hashToken('no one'))).not.toBe(decoy)
    expect(await verifyPassword('Sunrise-42x', decoy)).toBe(false)
  })
  it('are the same in composed and decomposed spelling', async () => {
    const stored = await hashPassword('Caf\u00e9-2026', secureRandom)
    expect(await verifyPassword('Cafe\u0301-2026', stored)).toBe(true)
  })
  it.each(['', 'plain', '$argon2id$v=19$m=1,t=1,p=1$$', '$2b$10$abcdefghijklmnopqrstuv'])(
    'never match the malformed hash %j',
    async (stored) => {
      expect(await verifyPassword('', stored)).toBe(false)
    },
  )
})

describe('tokens', () => {
  it('have 256 bits and do not repeat', () => {
    const tokens = new Set(Array.from({ length: 10_000 }, () => newToken(secureRandom)))
    expect(tokens.size).toBe(10_000)
    for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/)
  })
  it('are compared whole', () => {
    expect(secretsEqual('abc', 'abc')).toBe(true)
    expect(secretsEqual('abc', 'abcd')).toBe(false)
    expect(secretsEqual('', 'a')).toBe(false)
  })
  it('give a transfer password that depends on the token and shows nothing of it', () => {
    const one = hashToken(newToken(seededRandom(1)))
    const other = hashToken(newToken(seededRandom(2)))
    expect(transferPassword(one)).toBe(transferPassword(one))
    expect(transferPassword(one)).not.toBe(transferPassword(other))
    expect(transferPassword(one)).not.toContain(one)
  })
})
