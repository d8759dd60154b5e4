import { describe, expect, it } from 'vitest'
import { staysInside } from './links.ts'

describe('a link that a peer sent', () => {
  it.each([
    ['a/link', 'b'],
    ['a/link', 'b/c/'],
    ['a/link', './b'],
    ['a/link', '..'],
    ['a/b/link', '../../c'],
  ])('may lead from %s to %s', (path, target) => {
    expect(staysInside(path, target)).toBe(true)
  })

  it.each([
    ['link', '/etc/passwd'],
    ['link', '..'],
    ['a/link', '../../outside'],
    // Through another link, a/x -> ../b, this would leave the folder although it seems to come back to its root.
    ['link', 'a/x/../..'],
    ['link', 'a/../b'],
    ['link', ''],
    ['link', 'a//b'],
    ['link', 'C:/Windows'],
    ['link', '..\\..\\outside'],
    ['link', 'a\0b'],
  ])('may not lead from %s to %s', (path, target) => {
    expect(staysInside(path, target)).toBe(false)
  })
})
