import { OPERATION_NAMES } from '@godwit/contract'
import { expect, it } from 'vitest'
import { CHANGING, READING } from './command-log.ts'
import { COMMANDS } from './run.ts'

it('every command is known to change an installation or to leave it as it is', () => {
  expect([...CHANGING, ...READING].toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted())
})

it('every command that changes an installation has a name in the operation log that people can read', () => {
  const known: ReadonlySet<string> = new Set(OPERATION_NAMES)
  expect(CHANGING.map((name) => name.replaceAll(' ', '.')).filter((name) => !known.has(name))).toEqual([])
})
