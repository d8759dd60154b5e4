import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EXISTING_POLICIES } from '../messages/messages.ts'
import { isLeft, verdictOn } from './existing-files.policy.ts'

const sent = { kind: 'file', size: 10, mtimeMs: 1000 } as const
const same = { kind: 'file', size: 10, mtimeMs: 1000 } as const
const older = { ...same, mtimeMs: 999 }
const newer = { ...same, mtimeMs: 1001 }
const folder = { kind: 'directory', size: 0, mtimeMs: 5000 } as const

describe('a file that is at the receiver already', () => {
  it.each([
    ['keep-newer', undefined, 'new'],
    ['keep-newer', same, 'same'],
    ['keep-newer', older, 'replaced'],
    ['keep-newer', newer, 'newer'],
    ['keep-newer', { ...same, size: 11 }, 'replaced'],
    ['keep-newer', folder, 'replaced'],
    ['update', newer, 'newer'],
    ['update', older, 'replaced'],
    ['keep-existing', older, 'existing'],
    ['keep-existing', newer, 'existing'],
    ['keep-existing', folder, 'existing'],
    ['keep-existing', same, 'same'],
    ['overwrite', newer, 'replaced'],
    ['overwrite', same, 'same'],
  ] as const)('under %s, as %j, is %s', (policy, existing, verdict) => {
    expect(verdictOn(policy, sent, existing)).toBe(verdict)
  })

  it('is never replaced by an older one unless that was asked for', () => {
    const time = fc.integer({ min: 0, max: 5 })
    fc.assert(
      fc.property(fc.constantFrom(...EXISTING_POLICIES), time, time, fc.nat(1), (policy, near, far, size) => {
        const verdict = verdictOn(policy, { ...sent, mtimeMs: near }, { kind: 'file', size: 10 + size, mtimeMs: far })
        if (far > near && policy !== 'overwrite') expect(isLeft(verdict)).toBe(true)
      }),
    )
  })

  it('is replaced by a link, whatever its time', () => {
    expect(verdictOn('keep-newer', { ...sent, kind: 'link' }, newer)).toBe('replaced')
  })
})
