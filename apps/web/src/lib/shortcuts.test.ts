import { describe, expect, it } from 'vitest'
import { FILE_ACTIONS } from '../features/content/files/file-actions.ts'
import { UPLOAD_ACTIONS } from '../features/content/uploads/upload-actions.ts'
import { FORBIDDEN, isSingleKey, type KeyLike, matchesShortcut, shortcutKeys } from './shortcuts.ts'

const press = (key: string, held: Partial<KeyLike> = {}): KeyLike => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
})

const ALL = [...FILE_ACTIONS, ...UPLOAD_ACTIONS].flatMap(({ name, keys = [] }) =>
  keys.map((key) => [name, key] as const),
)

describe('shortcuts', () => {
  it.each(ALL)('%s does not take %s from the browser', (_, shortcut) => expect(FORBIDDEN).not.toContain(shortcut))

  it('gives no combination to two actions, except to those of which one is offered at a time', () => {
    const byKey = Map.groupBy(ALL, ([, key]) => key)
    const shared = [...byKey.values()].filter((actions) => actions.length > 1)
    expect(shared.map((actions) => actions.map(([name]) => name))).toEqual([
      ['rename', 'batch-rename'],
      ['favorite', 'unfavorite'],
      ['tiles', 'list'],
      ['pause-uploads', 'resume-uploads'],
    ])
  })

  it('leaves letters alone, which jump to names; `i` of the details and `v` of the view give way to a name that is being typed', () => {
    expect(ALL.filter(([, shortcut]) => /^[a-z]$/i.test(shortcut))).toEqual([
      ['details', 'i'],
      ['tiles', 'v'],
      ['list', 'v'],
    ])
  })

  it('takes Ctrl on a PC and Cmd on a Mac', () => {
    expect(matchesShortcut(press('a', { ctrlKey: true }), 'Mod+A', false)).toBe(true)
    expect(matchesShortcut(press('a', { metaKey: true }), 'Mod+A', true)).toBe(true)
    expect(matchesShortcut(press('a', { ctrlKey: true }), 'Mod+A', true)).toBe(false)
  })

  it('takes a sign however it is typed, and a letter only as written', () => {
    expect(matchesShortcut(press('?', { shiftKey: true }), '?', false)).toBe(true)
    expect(matchesShortcut(press('u', { altKey: true, shiftKey: true }), 'Alt+U', false)).toBe(false)
  })

  it('knows single keys, which may be switched off', () => {
    expect(isSingleKey('?')).toBe(true)
    expect(isSingleKey('F2')).toBe(false)
    expect(isSingleKey('Mod+A')).toBe(false)
  })

  it('writes keys as they stand on the keyboard', () => {
    expect(shortcutKeys('Mod+Z', true)).toEqual(['⌘', 'Z'])
    expect(shortcutKeys('Alt+ArrowUp', false)).toEqual(['Alt', '↑'])
  })
})
