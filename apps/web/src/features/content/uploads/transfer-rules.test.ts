import { describe, expect, it } from 'vitest'
import type { SourceFile } from './source-file.ts'
import { createIgnore, patternsIn, rulesFor, splitBySize, type TransferRules } from './transfer-rules.ts'

const MiB = 1024 * 1024
const NONE: TransferRules = {
  transIgnoreRegSwitch: 0,
  transIgnoreReg: '*.tmp',
  transIgnoreSizeSwitch: 0,
  transIgnoreSize: 1,
  transSkipSameName: 0,
}

function source(relativePath: string, size = 1): SourceFile {
  return { file: { size } as File, relativePath }
}

describe('what is not transferred', () => {
  it('is nothing while the switches are off', async () => {
    const ignores = await createIgnore(NONE)
    expect(ignores(source('a.tmp', 5 * MiB))).toBe(false)
  })

  it('is what matches a pattern of the semicolon list, in any folder', async () => {
    const ignores = await createIgnore({
      ...NONE,
      transIgnoreRegSwitch: 1,
      transIgnoreReg: ' *.tmp ;.DS_Store;; cache/** ',
    })
    for (const path of ['a.tmp', 'deep/er/b.tmp', '.DS_Store', 'x/.DS_Store', 'cache/one/two']) {
      expect(ignores(source(path)), path).toBe(true)
    }
    for (const path of ['a.tmpx', 'a.txt', 'DS_Store', 'x/cache/one']) expect(ignores(source(path)), path).toBe(false)
  })

  it('is what is larger than the ignore size, and not what is as large', async () => {
    const ignores = await createIgnore({ ...NONE, transIgnoreSizeSwitch: 1, transIgnoreSize: 2 })
    expect(ignores(source('a', 2 * MiB))).toBe(false)
    expect(ignores(source('a', 2 * MiB + 1))).toBe(true)
  })

  it('takes a pattern for text and never for a program: a hostile one costs nothing, a broken one matches nothing', async () => {
    const hostile = { ...NONE, transIgnoreRegSwitch: 1, transIgnoreReg: `(a+)+$;${'*a'.repeat(40)};[z-a]` }
    const ignores = await createIgnore(hostile)
    expect(ignores(source(`${'a'.repeat(200)}!`))).toBe(false)
    expect(ignores(source('(a+)+$'))).toBe(true)
  })

  it('follows the group inside a group', () => {
    const group = { ...NONE, transIgnoreReg: '*.bak', groupId: 7 }
    const user = { ...NONE, groupList: [group] } as unknown as Parameters<typeof rulesFor>[0]
    expect(rulesFor(user, 0)).toBe(user)
    expect(rulesFor(user, 7)).toBe(group)
    expect(rulesFor(user, 8)).toBe(user)
  })

  it('reads a list with blanks and empty parts', () => expect(patternsIn(' a ;; b;')).toEqual(['a', 'b']))
})

describe('the size that the browser may send', () => {
  const files = [source('small', 1024), source('large', 1025), { ...source('ignored', 9999), isIgnored: true }]

  it('leaves out what is larger, but not what is ignored anyway', () => {
    const { fitting, tooLarge } = splitBySize(files, 1024)
    expect(fitting.map(({ relativePath }) => relativePath)).toEqual(['small', 'ignored'])
    expect(tooLarge.map(({ relativePath }) => relativePath)).toEqual(['large'])
  })

  it('has no limit at 0', () => expect(splitBySize(files, 0).tooLarge).toEqual([]))
})
