import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ALL_SELECTED,
  isRowSelected,
  NOTHING_SELECTED,
  pageSelection,
  selectedRowCount,
  toggleRow,
  withRange,
  withRows,
} from './table-selection.ts'

const PAGE = ['a', 'b', 'c', 'd']

describe('selection of a table', () => {
  it('takes the page first, then all that match, then all but one', () => {
    const page = withRows(NOTHING_SELECTED, PAGE, true)
    expect([pageSelection(page, PAGE), selectedRowCount(page, 321)]).toEqual(['all', 4])
    expect([pageSelection(ALL_SELECTED, PAGE), selectedRowCount(ALL_SELECTED, 321)]).toEqual(['all', 321])
    const butOne = toggleRow(ALL_SELECTED, 'b')
    expect([pageSelection(butOne, PAGE), selectedRowCount(butOne, 321)]).toEqual(['some', 320])
    expect(isRowSelected(butOne, 'on another page')).toBe(true)
  })

  it('keeps what is selected on other pages', () => {
    const both = withRows(withRows(NOTHING_SELECTED, ['x'], true), PAGE, true)
    expect(selectedRowCount(withRows(both, PAGE, false), 10)).toBe(1)
  })

  it('takes a range in either direction', () => {
    const forth = withRange(NOTHING_SELECTED, PAGE, [1, 3])
    expect(forth).toEqual(withRange(NOTHING_SELECTED, PAGE, [3, 1]))
    expect(PAGE.filter((id) => isRowSelected(forth, id))).toEqual(['b', 'c', 'd'])
  })

  it('is what a plain set of all ids would be, after any clicks', () => {
    const world = Array.from({ length: 12 }, (_, at) => String(at))
    const step = fc.oneof(
      fc.record({ kind: fc.constant('toggle' as const), at: fc.nat(11) }),
      fc.record({ kind: fc.constant('page' as const), at: fc.nat(8), on: fc.boolean() }),
      fc.constant({ kind: 'all' as const }),
      fc.constant({ kind: 'none' as const }),
    )
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let selection = NOTHING_SELECTED
        let naive = new Set<string>()
        for (const each of steps) {
          if (each.kind === 'all') [selection, naive] = [ALL_SELECTED, new Set(world)]
          else if (each.kind === 'none') [selection, naive] = [NOTHING_SELECTED, new Set()]
          else if (each.kind === 'toggle') {
            const id = String(each.at)
            selection = toggleRow(selection, id)
            if (!naive.delete(id)) naive.add(id)
          } else {
            const ids = world.slice(each.at, each.at + 4)
            selection = withRows(selection, ids, each.on)
            for (const id of ids)
              if (each.on) naive.add(id)
              else naive.delete(id)
          }
        }
        expect(world.filter((id) => isRowSelected(selection, id))).toEqual(world.filter((id) => naive.has(id)))
        expect(selectedRowCount(selection, world.length)).toBe(naive.size)
      }),
    )
  })
})
