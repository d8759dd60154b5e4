import { describe, expect, it } from 'vitest'
import { commandSite } from './testing/command-site.ts'

const site = commandSite()
const { godwit } = site

describe('settings', () => {
  it('are listed, changed, given back and remembered with who changed them', async () => {
    await godwit('settings list --json')
    expect(JSON.parse(site.out)).toContainEqual(
      expect.objectContaining({ key: 'position', value: 6, source: 'default', scope: 'site', restart: false }),
    )
    expect(await godwit('settings set position 9')).toBe(0)
    expect(site.out).toBe('position is now 9.\n')
    expect(await godwit('settings get position')).toBe(0)
    expect(site.out).toBe('9\n')
    expect(await godwit('site reset position')).toBe(0)
    await godwit('settings history --key position --json')
    expect(JSON.parse(site.out)).toMatchObject([
      { key: 'position', scope: 'site', by: 'operator', door: 'command-line', from: 9 },
      { key: 'position', scope: 'site', by: 'operator', door: 'command-line', to: 9 },
    ])
    await godwit('settings history')
    expect(site.out).toMatch(/^\S+Z {2}position {2}site {2}operator {2}9 -> \(default\)\n/)
  })
  it('are refused by name, by place and by rule, with what would be right', async () => {
    expect(await godwit('settings set positoin 9')).toBe(2)
    expect(site.err).toContain("there is no setting 'positoin'. Did you mean position?")
    expect(await godwit('settings set position 10')).not.toBe(0)
    expect(site.err).toContain('must be one of 1, 2')
    expect(await godwit('settings set position 9 --space 2')).not.toBe(0)
    expect(await godwit('settings set position 9 --space two')).toBe(2)
    expect(site.err).toContain("--space takes a number, not 'two'")
    expect(await godwit('settings list --account nobody')).toBe(4)
  })
})
