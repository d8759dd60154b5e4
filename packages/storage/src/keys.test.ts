import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkKey, folderOf, isWithin, joinKey, nameOf } from './keys.ts'
import { anyPath } from './testing/any-path.ts'

const ROOT = '/srv/files'

describe('keys', () => {
  it('that are accepted stay inside the root, however they are normalised (row A03)', () => {
    fc.assert(
      fc.property(anyPath(), (key) => {
        if (!isAccepted(key)) return true
        const resolved = path.resolve(ROOT, key)
        const facts = {
          isInside: resolved === ROOT || resolved.startsWith(`${ROOT}/`),
          isStable: path.relative(ROOT, resolved) === key && Buffer.from(key).toString() === key,
          isVisible: !resolved.toLowerCase().split('/').includes('.godwit'),
        }
        return facts.isInside && facts.isStable && facts.isVisible
      }),
      { numRuns: 20_000 },
    )
  })

  it('come apart and together again', () => {
    fc.assert(
      fc.property(anyPath(), (key) => {
        if (key === '' || !isAccepted(key)) return
        expect(joinKey(folderOf(key), nameOf(key))).toBe(key)
        expect(isWithin(key, folderOf(key))).toBe(true)
        expect(isWithin(`${key}x`, key)).toBe(false)
      }),
    )
  })
})

function isAccepted(key: string): boolean {
  try {
    checkKey(key)
    return true
  } catch {
    // Refused, which is always safe.
    return false
  }
}
