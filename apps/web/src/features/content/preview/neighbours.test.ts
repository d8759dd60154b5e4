import { expect, it } from 'vitest'
import { neighboursOf } from './neighbours.ts'

const names = ['folder', 'a', 'inner', 'b', 'c']
const list = { names, isFile: (row: number) => names[row]?.length === 1 }

it.each([
  ['a', { previous: undefined, next: 'b' }],
  ['b', { previous: 'a', next: 'c' }],
  ['c', { previous: 'b', next: undefined }],
  ['gone', { previous: undefined, next: undefined }],
])('the neighbours of %s are the files around it', (name, expected) => {
  expect(neighboursOf(list, name)).toEqual(expected)
})
