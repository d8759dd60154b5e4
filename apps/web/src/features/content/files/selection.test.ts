import { describe, expect, it } from 'vitest'
import { keyedRow } from '../../../lib/list-keys.ts'
import { keyedSelection } from './grid-keys.ts'
import { collectListing, type Listing } from './listing.ts'
import {
  band,
  carriedOver,
  click,
  isSelected,
  NOTHING,
  selectAll,
  selectedCount,
  selectedRows,
  type Selection,
  selectNone,
  turnOver,
} from './selection.ts'

/** One sequence: `click 3`, `ctrl+click 5`, `shift+down`, `ctrl+space`, `all`, `esc`, `box 2 4`, `ctrl+box 6 7`. Ten rows. */
function after(steps: string): Selection {
  return steps.split(', ').reduce((selection, step) => stepped(selection, step), NOTHING)
}

const KEYS: Readonly<Record<string, string>> = {
  down: 'ArrowDown',
  up: 'ArrowUp',
  home: 'Home',
  end: 'End',
  pgdn: 'PageDown',
  pgup: 'PageUp',
  space: ' ',
}

function stepped(selection: Selection, step: string): Selection {
  const [combo = '', first = '0', second = '0'] = step.split(' ')
  const parts = combo.split('+')
  const held = { toggle: parts.includes('ctrl'), extend: parts.includes('shift') }
  const what = parts.at(-1) ?? ''
  if (what === 'click') return click(selection, Number(first), held)
  if (what === 'box') return band(selection, Number(first), Number(second), held.toggle)
  if (what === 'check') return turnOver(selection, Number(first))
  if (what === 'all') return selectAll(selection)
  if (what === 'esc') return selectNone(selection)
  const key = { key: KEYS[what] ?? what, ...held, alt: false }
  return (
    keyedSelection(selection, key, (focus, name) => keyedRow(focus, name, { count: 10, rowsPerPage: 4 })) ?? selection
  )
}

/** Sequence, selected rows, row with the focus: the rules of GNOME Files' key_mouse_navigation.txt. */
const SEQUENCES: ReadonlyArray<readonly [steps: string, rows: readonly number[], focus: number]> = [
  ['click 3', [3], 3],
  ['click 3, click 5', [5], 5],
  ['click 3, ctrl+click 5', [3, 5], 5],
  ['click 3, ctrl+click 5, ctrl+click 3', [5], 3],
  ['click 2, shift+click 5', [2, 3, 4, 5], 5],
  ['click 5, shift+click 2', [2, 3, 4, 5], 2],
  ['click 2, shift+click 5, shift+click 3', [2, 3], 3],
  ['click 2, shift+click 5, shift+click 0', [0, 1, 2], 0],
  ['click 1, ctrl+click 5, shift+click 7', [5, 6, 7], 7],
  ['click 1, ctrl+click 5, ctrl+shift+click 7', [1, 5, 6, 7], 7],
  ['click 1, ctrl+click 8, click 4', [4], 4],
  ['down', [0], 0],
  ['up', [9], 9],
  ['click 3, down', [4], 4],
  ['click 3, up', [2], 2],
  ['click 3, shift+down, shift+down', [3, 4, 5], 5],
  ['click 3, shift+down, shift+up, shift+up', [2, 3], 2],
  ['click 3, ctrl+down, ctrl+down', [3], 5],
  ['click 3, ctrl+down, ctrl+down, ctrl+space', [3, 5], 5],
  ['click 3, ctrl+down, space', [3, 4], 4],
  ['click 3, space', [3], 3],
  ['click 3, ctrl+space', [], 3],
  ['click 3, ctrl+down, ctrl+down, ctrl+space, shift+down', [5, 6], 6],
  ['click 3, ctrl+down, ctrl+down, ctrl+space, ctrl+shift+down', [3, 5, 6], 6],
  ['click 3, home', [0], 0],
  ['click 3, shift+end', [3, 4, 5, 6, 7, 8, 9], 9],
  ['click 3, pgdn', [7], 7],
  ['click 8, pgdn', [9], 9],
  ['click 3, pgup', [0], 0],
  ['click 3, all', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 3],
  ['click 3, all, ctrl+click 4', [0, 1, 2, 3, 5, 6, 7, 8, 9], 4],
  ['click 3, all, click 4', [4], 4],
  ['click 3, all, esc', [], 3],
  ['all, check 0, check 1', [2, 3, 4, 5, 6, 7, 8, 9], 1],
  ['all, check 0, ctrl+shift+click 2', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 2],
  ['check 2, check 4, check 2', [4], 2],
  ['click 1, box 4 6', [4, 5, 6], 6],
  ['click 1, ctrl+box 6 4', [1, 4, 5, 6], 4],
  ['click 9, down', [9], 9],
]

describe('selection', () => {
  it.each(SEQUENCES)('%s', (steps, rows, focus) => {
    const selection = after(steps)
    expect(selectedRows(selection, 10)).toEqual(rows)
    expect(selection.focus).toBe(focus)
  })

  it('selects a million rows with one flag', () => {
    const all = selectAll(NOTHING)
    expect(selectedCount(all, 1_000_000)).toBe(1_000_000)
    expect(all.rows.size).toBe(0)
    expect(isSelected(all, 999_999)).toBe(true)
  })
})

function listingOf(names: readonly string[], version: string): Listing {
  const zeros = names.map(() => 0)
  const page = { names: [...names], types: zeros, sizes: zeros, times: zeros, next: null, total: names.length, version }
  return collectListing().add(page)
}

describe('a folder that is refreshed', () => {
  const before = listingOf(['a', 'b', 'c', 'd'], '1')
  it('keeps the selection on the same names', () => {
    const after = carriedOver(
      click(click(NOTHING, 1, { toggle: false, extend: false }), 3, { toggle: true, extend: false }),
      before,
      listingOf(['a', 'a2', 'b', 'c', 'd'], '2'),
    )
    expect(selectedRows(after, 5)).toEqual([2, 4])
    expect(after.focus).toBe(4)
  })
  it('gives the focus of a row that is gone to the one in its place', () => {
    const after = carriedOver(click(NOTHING, 3, { toggle: false, extend: false }), before, listingOf(['a', 'b'], '2'))
    expect(selectedRows(after, 2)).toEqual([])
    expect(after.focus).toBe(1)
  })
  it('keeps everything selected but the exceptions', () => {
    const after = carriedOver(turnOver(selectAll(NOTHING), 0), before, listingOf(['0', 'a', 'b'], '2'))
    expect(selectedRows(after, 3)).toEqual([0, 2])
  })
})
