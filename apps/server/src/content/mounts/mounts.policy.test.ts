import { describe, expect, it } from 'vitest'
import { folderFault, foldPath } from './mounts.policy.ts'

describe('a folder to be mounted', () => {
  it.each([
    ['', 'not all of it'],
    ['users', 'homes'],
    ['USERS/mei', 'homes'],
    ['groups/3', 'homes'],
    ['spaces/2/users/mei', 'homes'],
    ['archive', 'every other'],
    ['Archive', 'every other'],
    ['archive/2026/may', 'every other'],
  ])('%j is refused: %s', (path, why) => {
    expect(folderFault(path, ['archive/2026'])).toContain(why)
  })

  it.each(['archive2', 'archive/2025', 'archive/20260', 'user', 'spaces2'])('%j is free', (path) => {
    expect(folderFault(path, ['archive/2026'])).toBeUndefined()
  })

  it('is the same in every case', () => {
    expect(foldPath('Ä/STRASSE')).toBe(foldPath('ä/straße'))
  })
})
