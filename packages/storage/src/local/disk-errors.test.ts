import { describe, expect, it } from 'vitest'
import { asStorageError } from './disk-errors.ts'

describe('an error of the disk', () => {
  it.each([
    ['EMFILE', 'unreachable'],
    ['ENFILE', 'unreachable'],
    ['ENOENT', 'not-found'],
    ['EIO', 'io'],
  ])('%s becomes %s', (code, reason) => {
    const error = Object.assign(new Error(code), { code, syscall: 'open' })
    expect(asStorageError(error, 'a')).toMatchObject({ reason, key: 'a', cause: error })
  })
})
