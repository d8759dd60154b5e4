import { describe, expect, it } from 'vitest'
import { usualView, viewOf } from './list-view.ts'

const COLUMNS = [{ id: 'account', isFixed: true }, { id: 'email' }, { id: 'created', isExtra: true }]

describe('what of a list is shown', () => {
  it('is the usual columns at first', () =>
    expect(viewOf({}, undefined, COLUMNS)).toEqual({ columns: ['account', 'email'], density: 'normal' }))

  it('is what the address says before what the browser remembers', () => {
    const stored = { columns: ['account'], density: 'compact' }
    expect(viewOf({}, stored, COLUMNS)).toEqual({ columns: ['account'], density: 'compact' })
    expect(viewOf({ columns: 'account.created', density: 'normal' }, stored, COLUMNS)).toEqual({
      columns: ['account', 'created'],
      density: 'normal',
    })
  })

  it('keeps the column that names the row, and no column that is gone', () =>
    expect(viewOf({ columns: 'shoe-size.email' }, undefined, COLUMNS).columns).toEqual(['account', 'email']))

  it('is the usual one when what is stored makes no sense', () =>
    expect(viewOf({ density: 'cosy' }, ['x'], COLUMNS)).toEqual(usualView(COLUMNS)))
})
