import { describe, expect, it } from 'vitest'
import { unusedIn } from './unused-contract.ts'

const NAMES = {
  errors: ['FILE_GONE', 'FILE_TAKEN'],
  limits: ['nameMax', 'nameMin', 'pageMax'],
  states: ['LINK_STATUS'],
}

describe('names of the contract', () => {
  it('are unused where nothing names them', () => {
    expect(unusedIn([], NAMES)).toEqual(NAMES)
  })
  it('are used by a code, by a limit alone or among others, and by a constant beyond its own declaration', () => {
    const sources = [
      'export const LINK_STATUS = { normal: 1 } as const',
      "throw new AppError('FILE_GONE')",
      'const { nameMin } = LIMITS',
      'if (name.length > LIMITS.nameMax) return LINK_STATUS.normal',
    ]
    expect(unusedIn(sources, NAMES)).toEqual({ errors: ['FILE_TAKEN'], limits: ['pageMax'], states: [] })
    expect(unusedIn(sources.slice(0, 1), NAMES).states).toEqual(['LINK_STATUS'])
  })
})
