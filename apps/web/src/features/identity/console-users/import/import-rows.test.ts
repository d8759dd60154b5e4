import { describe, expect, it } from 'vitest'
import { importCounts, importProgress, importRowsOf, wireRow, withAnswers } from './import-rows.ts'

const TABLE = [
  ['账号 *', '密码', '姓名', 'Shoe size'],
  ['mia', 'Tidal-flats-42', '林米娅', '37'],
  ['tom', '', '', ''],
]

describe('a file of accounts', () => {
  it('is known by its heads in either language, whatever else is in it', () => {
    const rows = importRowsOf(TABLE)
    expect(rows?.map(({ line, values }) => [line, values.account, values.name])).toEqual([
      [2, 'mia', '林米娅'],
      [3, 'tom', ''],
    ])
    expect(importRowsOf([['Full name'], ['x']])).toBeUndefined()
    expect(importRowsOf([])).toBeUndefined()
  })

  it('has its cells as they were before an export made them text', () => {
    const table = [
      ['account', 'password', 'phone', 'name'],
      ['mia', "'=Tidal-flats-42", "'+4930123456", "'t Hooft"],
    ]
    const [row] = importRowsOf(table) ?? []
    expect(row?.values).toMatchObject({ password: '=Tidal-flats-42', phone: '+4930123456', name: "'t Hooft" })
  })

  it('leaves what is empty to its default', () => {
    const [, tom] = importRowsOf(TABLE) ?? []
    expect(tom && wireRow(tom)).toEqual({ account: 'tom', password: '', mustReset: true })
  })

  it('keeps what the server said at the row it said it about', () => {
    const rows = importRowsOf(TABLE) ?? []
    const answered = withAnswers(
      rows,
      [1],
      [{ row: 0, account: 'tom', result: 'failed', field: 'password', code: 1, message: 'too weak' }],
    )
    expect(answered.map(({ state, field }) => [state, field])).toEqual([
      ['pending', undefined],
      ['failed', 'password'],
    ])
    expect(importCounts(answered)).toEqual({ pending: 1, fits: 0, created: 0, failed: 1 })
  })

  it('is not added by being checked', () => {
    const rows = (importRowsOf(TABLE) ?? []).map((row) => ({ ...row, state: 'fits' as const }))
    expect(importProgress(rows, 'check')).toBe(1)
    expect(importProgress(rows, 'add')).toBe(0)
  })
})
