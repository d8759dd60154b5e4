import { describe, expect, it } from 'vitest'
import { type Branch, lineByPrefix, openNodes, treeLines, type TreeState, treeStep } from './tree-state.ts'

const ready = (...ids: readonly string[]): Branch => ({ state: 'ready', nodes: ids.map((id) => ({ id, name: id })) })

const STATE: TreeState = {
  root: { id: '/', name: 'root' },
  branches: new Map<string, Branch>([
    ['/', ready('a', 'b', 'c')],
    ['a', ready('a/report', 'a/other')],
    ['b', { state: 'loading' }],
    ['c', ready()],
  ]),
  open: new Set(['/', 'a', 'b']),
}

describe('the lines of a tree', () => {
  it('are what is open, each with its level and its place among its siblings', () => {
    expect(treeLines(STATE).map(({ node, level, position, siblings }) => [node.id, level, position, siblings])).toEqual(
      [
        ['/', 1, 1, 1],
        ['a', 2, 1, 3],
        ['a/report', 3, 1, 2],
        ['a/other', 3, 2, 2],
        ['b', 2, 2, 3],
        ['c', 2, 3, 3],
      ],
    )
  })

  it('open nothing that is known to be empty, and something that was never looked into', () => {
    const openness = Object.fromEntries(treeLines(STATE).map(({ node, isOpen }) => [node.id, isOpen]))
    expect(openness).toEqual({ '/': true, a: true, 'a/report': false, 'a/other': false, b: true, c: undefined })
  })

  it('of a search are the names that hold the text, and the way to them, opened', () => {
    const closed = { ...STATE, open: new Set<string>() }
    expect(treeLines(closed, ' REP ').map(({ node }) => node.id)).toEqual(['/', 'a', 'a/report'])
    expect(treeLines(closed, 'nothing')).toHaveLength(1)
  })
})

describe('the keys of a tree', () => {
  const lines = treeLines(STATE)
  const at = (id: string): number => lines.findIndex(({ node }) => node.id === id)

  it('open with Right, then enter; close with Left, then go up', () => {
    expect(treeStep(lines, at('a/report'), 'ArrowRight')).toEqual({ kind: 'open', index: at('a/report') })
    expect(treeStep(lines, at('a'), 'ArrowRight')).toEqual({ kind: 'focus', index: at('a/report') })
    expect(treeStep(lines, at('a'), 'ArrowLeft')).toEqual({ kind: 'close', index: at('a') })
    expect(treeStep(lines, at('a/other'), 'ArrowLeft')).toEqual({ kind: 'focus', index: at('a') })
    expect(treeStep(lines, at('c'), 'ArrowRight')).toBeUndefined()
    expect(treeStep(lines, at('b'), 'ArrowRight')).toBeUndefined()
  })

  it('find with letters, from a line on and around', () => {
    expect(lineByPrefix(lines, 'A', 0)).toBe(at('a'))
    expect(lineByPrefix(lines, 'a', at('a') + 1)).toBe(at('a/report'))
    expect(lineByPrefix(lines, 'b', at('c'))).toBe(at('b'))
    expect(lineByPrefix(lines, 'x', 0)).toBe(-1)
    expect(lineByPrefix([], 'a', 0)).toBe(-1)
  })

  it('are followed by news of the lines that show their children, and of empty ones', () => {
    expect(openNodes(lines)).toEqual(['/', 'a', 'b', 'c'])
    expect(openNodes(treeLines({ ...STATE, open: new Set(['/']) }))).toEqual(['/', 'c'])
  })

  it('choose with Enter and Space, and leave the others alone', () => {
    expect(treeStep(lines, at('b'), 'Enter')).toEqual({ kind: 'choose', index: at('b') })
    expect(treeStep(lines, at('b'), ' ')).toEqual({ kind: 'choose', index: at('b') })
    expect(treeStep(lines, at('b'), 'x')).toBeUndefined()
    expect(treeStep(lines, -1, 'Enter')).toBeUndefined()
  })
})
