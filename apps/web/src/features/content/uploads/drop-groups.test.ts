import { describe, expect, it } from 'vitest'
import { groupDrop } from './drop-groups.ts'

const fileAt = (relativePath: string) => ({ file: { size: 1 } as File, relativePath })
const drop = (paths: readonly string[], emptyFolders: readonly string[] = [], unreadable: readonly string[] = []) =>
  groupDrop({ files: paths.map(fileAt), emptyFolders, unreadable })

describe('the rows of a drop', () => {
  it('are one for each top folder, with what is empty or unreadable in it, then one for each loose file', () => {
    expect(
      drop(['a/1', 'b/2', 'a/c/3', 'loose'], ['a/empty', 'd/e'], ['b/secret']).map((group) => [
        group.name,
        group.isGroup,
        group.sources.length,
        group.emptyFolders,
        group.unreadable ?? [],
      ]),
    ).toEqual([
      ['a', true, 2, ['a/empty'], []],
      ['b', true, 1, [], ['b/secret']],
      ['d', true, 0, ['d/e'], []],
      ['loose', false, 1, [], []],
    ])
  })

  it('are one with a counter from 21 loose files on', () => {
    const names = Array.from({ length: 21 }, (_, at) => `file ${at}`)
    expect(drop(names.slice(1))).toHaveLength(20)
    expect(drop(names).map(({ name, isGroup, sources }) => [name, isGroup, sources.length])).toEqual([
      ['file 0', true, 21],
    ])
  })
})
