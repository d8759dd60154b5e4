import { describe, expect, it } from 'vitest'
import { forbidding, type HeldLock, type LockedChange } from './file-locks.policy.ts'

const lock = (key: string, more: Partial<HeldLock> = {}): HeldLock => {
  return { token: key, userId: 'a', key, isDeep: false, isShared: false, ...more }
}
const PORTAL = { userId: 'b', door: 'page' } as const

describe('locks that forbid a change', () => {
  it.each<[string, HeldLock, LockedChange['what'], boolean]>([
    ['the content of a locked file', lock('h/d/f'), 'content', true],
    ['the content of another file', lock('h/d/g'), 'content', false],
    ['a name with the same beginning', lock('h/d/f2'), 'tree', false],
    ['the content below a deep lock', lock('h', { isDeep: true }), 'content', true],
    ['the content below a lock of depth 0', lock('h/d'), 'content', false],
    ['a new name in a folder that is locked', lock('h/d'), 'member', true],
    ['a new name deeper than a lock of depth 0', lock('h'), 'member', false],
    ['a tree that holds a lock', lock('h/d/f/x/y'), 'tree', true],
    ['a file beside a lock below', lock('h/d/f/x'), 'content', false],
  ])('%s', (_what, held, what, isForbidden) => {
    expect(forbidding([held], { key: 'h/d/f', what }, PORTAL).length > 0).toBe(isForbidden)
  })

  it('lets its holder pass by the door that knows tokens, and by no other', () => {
    const change = { key: 'f', what: 'content' } as const
    expect(forbidding([lock('f')], change, { userId: 'a', door: 'webdav' })).toEqual([])
    expect(forbidding([lock('f')], change, { userId: 'a', door: 'page' })).toHaveLength(1)
  })

  it('lets the holders of shared locks pass each other', () => {
    const held = [lock('f', { isShared: true }), lock('f', { isShared: true, userId: 'b', token: '2' })]
    const change = { key: 'f', what: 'content' } as const
    expect(forbidding(held, change, { userId: 'b', door: 'webdav' })).toEqual([])
    expect(forbidding(held, change, { userId: 'c', door: 'webdav' })).toHaveLength(2)
  })
})
