import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ArchiveEntry, entryPath, rowsOf } from './archive-entries.ts'

const collator = new Intl.Collator('en-US', { numeric: true })

function entry(path: string, isFolder = false): ArchiveEntry {
  return { path, isFolder, size: 1, time: 0, isEncrypted: false, open: () => Promise.resolve(new Blob()) }
}

describe('a name inside an archive', () => {
  it.each([
    ['a/b.txt', 'a/b.txt'],
    ['/etc/passwd', 'etc/passwd'],
    ['../../x', 'x'],
    ['C:\\windows\\a', 'C:/windows/a'],
    ['./a//b/', 'a/b'],
    ['..', ''],
  ])('%s becomes %s', (name, path) => expect(entryPath(name)).toBe(path))

  it('never leads out of the archive', () => {
    const name = fc.string({ unit: fc.constantFrom('.', '/', '\\', 'a') })
    fc.assert(
      fc.property(name, (each) => {
        const parts = entryPath(each).split('/')
        expect(parts.includes('..') || entryPath(each).startsWith('/')).toBe(false)
        expect(entryPath(entryPath(each))).toBe(entryPath(each))
      }),
    )
  })
})

describe('the rows of a folder', () => {
  const entries = [entry('b/two.txt'), entry('a10.txt'), entry('a9.txt'), entry('c', true), entry('b/deep/er/x')]

  it('have folders first, also those that no entry names, and numbers in their order', () => {
    expect(rowsOf(entries, '', collator).map(({ path }) => path)).toEqual(['b', 'c', 'a9.txt', 'a10.txt'])
    expect(rowsOf(entries, 'b', collator).map(({ path }) => path)).toEqual(['b/deep', 'b/two.txt'])
    expect(rowsOf(entries, 'c', collator)).toEqual([])
  })

  it('lead to every file, once', () => {
    const path = fc
      .array(fc.constantFrom('x', 'y', 'z'), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join('/'))
    fc.assert(
      fc.property(fc.uniqueArray(path), (paths) => {
        const files = paths.map((each) => entry(`${each}.txt`))
        const found: string[] = []
        const visit = (folder: string): void => {
          for (const row of rowsOf(files, folder, collator)) {
            if (row.isFolder) visit(row.path)
            else found.push(row.path)
          }
        }
        visit('')
        expect(found.toSorted()).toEqual(files.map((file) => file.path).toSorted())
      }),
    )
  })
})
