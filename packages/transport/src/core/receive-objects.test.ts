import { describe, expect, it } from 'vitest'
import { ReceiveObjects } from './receive-objects.ts'

/** What the source promises: holes for 2^17 packets under way, and 2^16 objects. */
const MOST = 2 ** 16 + 2 ** 17

describe('what a peer may make this side remember', () => {
  it('ends at a number of ranges over all objects together, and goes on when an object is forgotten', () => {
    const objects = new ReceiveObjects()
    let ranges = 0
    for (let object = 0; ranges < MOST; object++) {
      for (let at = 0; at < 1000 && ranges < MOST; at++, ranges++) {
        expect(objects.accepts(object)).toBe(true)
        objects.add(object, { start: at * 2, end: at * 2 + 1 })
      }
    }
    expect(objects.accepts(0)).toBe(false)
    expect(objects.accepts(2 ** 31)).toBe(false)
    objects.forget(0)
    expect(objects.accepts(1)).toBe(true)
  })

  it('does not count what closes a hole', () => {
    const objects = new ReceiveObjects()
    for (let at = 0; at < MOST * 2; at++) objects.add(1, { start: at, end: at + 1 })
    expect(objects.accepts(1)).toBe(true)
  })
})
