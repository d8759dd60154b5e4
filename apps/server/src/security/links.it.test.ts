import { expect, it } from 'vitest'
import { openSite } from './testing/sites.ts'
import { workWhileSwapped } from './testing/swaps.ts'

it('a folder and a link to the outside are swapped 1,000 times under uploads and operations: nothing gets out (T07)', async () => {
  await using site = await openSite()
  const { token } = await site.signIn('admin')
  const { succeeded, faults } = await workWhileSwapped(site, token, 1_000)
  expect(faults).toEqual([])
  expect(succeeded).toBeGreaterThan(0)
})
