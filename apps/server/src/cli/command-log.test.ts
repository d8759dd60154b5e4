import { expect, it } from 'vitest'
import { CHANGING, READING } from './command-log.ts'
import { COMMANDS } from './run.ts'

it('every command is known to change an installation or to leave it as it is', () => {
  expect([...CHANGING, ...READING].toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted())
})
