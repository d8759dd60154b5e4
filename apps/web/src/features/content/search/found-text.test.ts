import { describe, expect, it } from 'vitest'
import { byRelevance, splitAtMatch } from './found-text.ts'
import { filtersOf, isFiltered, SIZES } from './search-filters.ts'

describe('a result', () => {
  it('shows what was looked for, whatever its case', () => {
    expect(splitAtMatch('Annual Report.pdf', 'report')).toEqual(['Annual ', 'Report', '.pdf'])
    expect(splitAtMatch('项目文件.docx', '文件')).toEqual(['项目', '文件', '.docx'])
    expect(splitAtMatch('Straße', 'strasse')).toEqual(['Straße', '', ''])
    expect(splitAtMatch('İstanbul', 'stan')).toEqual(['İstanbul', '', ''])
  })

  it('stands first when its name begins with the text', () => {
    const items = ['my note 10', 'my note 9', 'Notes', 'note.txt'].map((name) => ({ name, file_type: 'File' }))
    const folder = { name: 'notes', file_type: 'Folder' }
    const names = byRelevance([...items, folder], 'note').map(({ name }) => name)
    expect(names).toEqual(['notes', 'note.txt', 'Notes', 'my note 9', 'my note 10'])
  })
})

describe('filters', () => {
  const none = { scope: 'below', kind: '', size: '', age: '' } as const

  it('say nothing while they are off', () => {
    expect(filtersOf(none, 0)).toEqual({})
    expect(isFiltered(none)).toBe(false)
  })

  it('leave no size out between two ranges', () => {
    const ranges = SIZES.map((size) => filtersOf({ ...none, size }, 0))
    const ends = ranges.map((range) => ('maxSize' in range ? range.maxSize : Infinity))
    const starts = ranges.map((range) => ('minSize' in range ? range.minSize : 0))
    expect(starts).toEqual([0, ...ends.slice(0, -1).map((end) => end + 1)])
    expect(ends.at(-1)).toBe(Infinity)
  })

  it('count days back from now', () => {
    expect(filtersOf({ ...none, age: 'week' }, 1_000_000_000)).toEqual({ changedAfter: 1_000_000 - 604_800 })
  })
})
