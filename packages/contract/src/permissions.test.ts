import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  DEFAULT_PERMISSION,
  FULL_PERMISSION,
  hasPermission,
  PERMISSION,
  storedPermission,
  wirePermission,
  type Permission,
} from './permissions.ts'

const anySet = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })

describe('permission bit flags', () => {
  it('have the values of the specification', () => {
    expect(PERMISSION).toEqual({
      cwd: 1,
      list: 2,
      download: 4,
      append: 8,
      delete: 16,
      rename: 32,
      mkdir: 64,
      upload: 128,
      move: 256,
      copy: 512,
      share: 1024,
      invite: 2048,
      hotFolder: 4096,
    })
  })

  it('make the full set of every flag except CWD and Append', () => {
    expect(FULL_PERMISSION).toBe(8191 - 1 - 8)
  })

  it('make the default set of List and Download', () => {
    expect(DEFAULT_PERMISSION).toBe(6)
  })

  it('always carry CWD and Append on the wire when the set is not empty', () => {
    expect(wirePermission(6)).toBe(15)
    expect(wirePermission(FULL_PERMISSION)).toBe(8191)
  })

  it.each([0, 1, 8, 9])('treat %i, only unused flags, as denied', (set) => {
    expect(wirePermission(set)).toBe(0)
    expect(storedPermission(set)).toBe(0)
    expect(Object.keys(PERMISSION).some((name) => hasPermission(set, name as Permission))).toBe(false)
  })

  it('grant nothing by an unused flag', () => {
    expect(hasPermission(wirePermission(FULL_PERMISSION), 'cwd')).toBe(false)
    expect(hasPermission(wirePermission(FULL_PERMISSION), 'append')).toBe(false)
  })

  it('survive the way to the wire and back, whatever number arrives', () => {
    fc.assert(
      fc.property(anySet, (set) => {
        expect(storedPermission(wirePermission(set))).toBe(storedPermission(set))
        expect(wirePermission(wirePermission(set))).toBe(wirePermission(set))
        expect(storedPermission(set) & ~FULL_PERMISSION).toBe(0)
      }),
      { numRuns: 10_000 },
    )
  })
})
