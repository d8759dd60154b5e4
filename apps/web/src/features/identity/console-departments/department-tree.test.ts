import type { AdminDepartment } from '@godwit/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { departmentLines, openLines, targetsOf } from './department-tree.ts'

function department(id: number, parentId: number, name: string, users = 0): AdminDepartment {
  return { id, parentId, name, source: 'local', users, revision: 1 }
}

const TREE = [
  department(1, 0, 'Sales', 2),
  department(2, 1, 'North', 3),
  department(3, 1, 'East'),
  department(4, 2, 'Harbour', 4),
  department(5, 0, 'Design'),
]

describe('the tree of departments', () => {
  it('puts each below its parent, siblings by name, and counts the people below', () => {
    const lines = departmentLines(TREE, 'en-US')
    expect(lines.map(({ name, level, allUsers }) => [name, level, allUsers])).toEqual([
      ['Design', 1, 0],
      ['Sales', 1, 9],
      ['East', 2, 0],
      ['North', 2, 7],
      ['Harbour', 3, 4],
    ])
    expect(lines.at(-1)?.path).toEqual(['Sales', 'North', 'Harbour'])
  })

  it('shows what is open', () => {
    const lines = departmentLines(TREE, 'en-US')
    expect(openLines(lines, new Set()).map(({ id }) => id)).toEqual([5, 1])
    expect(openLines(lines, new Set([1])).map(({ id }) => id)).toEqual([5, 1, 3, 2])
    expect(openLines(lines, new Set([2])).map(({ id }) => id)).toEqual([5, 1])
  })

  it('lets nothing move below itself', () => {
    const lines = departmentLines(TREE, 'en-US')
    expect(targetsOf(lines, 1).map(({ id }) => id)).toEqual([5])
    expect(targetsOf(lines, 2).map(({ id }) => id)).toEqual([5, 1, 3])
  })

  it('loses no department, whatever the tree', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 40 }), (parents) => {
        const tree = parents.map((parent, at) => department(at + 1, at === 0 ? 0 : parent % (at + 1), `d${at}`))
        const lines = departmentLines(tree, 'en-US')
        expect(lines.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(tree.map(({ id }) => id))
      }),
    )
  })
})
