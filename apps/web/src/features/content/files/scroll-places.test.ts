import { describe, expect, it } from 'vitest'
import { createScrollPlaces } from './scroll-places.ts'

function tab(): () => Storage {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  return () => storage as unknown as Storage
}

describe('where a folder was scrolled to', () => {
  it('is found by its visit, and by a breadcrumb that makes a new visit of it', () => {
    const places = createScrollPlaces(tab())
    places.keep('v1', '/personal?path=/big', 400_000)
    places.keep('v2', '/personal?path=/big/inner', 10)
    expect(places.of('v1', '/personal?path=/big')).toBe(400_000)
    expect(places.of('v3', '/personal?path=/big')).toBe(400_000)
    expect(places.of('v4', '/personal?path=/new')).toBe(0)
  })

  it('survives a full load of the page, and storage that is spoiled or refuses', () => {
    const storage = tab()
    const before = createScrollPlaces(storage)
    before.keep('v1', '/personal?path=/big', 400_000)
    before.store()
    expect(createScrollPlaces(storage).of('v1', '/personal?path=/big')).toBe(400_000)
    storage().setItem('godwit.scroll', '{"no": [')
    expect(createScrollPlaces(storage).of('v1', '/personal?path=/big')).toBe(0)
    const refusing = createScrollPlaces(() => {
      throw new Error('switched off')
    })
    refusing.keep('v1', '/a', 5)
    refusing.store()
    expect(refusing.of('v1', '/a')).toBe(5)
  })
})
