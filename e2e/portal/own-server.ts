import { type Godwit, launchGodwit } from '@godwit/testkit'
import { test as base } from './fixtures.ts'

/** For tests that change the settings of the site: a server of their own, so that no other test meets what they set. */
export const test = base.extend<object, { readonly godwit: Godwit }>({
  godwit: [
    // Playwright reads what a fixture needs from this pattern, so it must be one.
    async ({}, use) => {
      const godwit = await launchGodwit()
      await use(godwit)
      await godwit.stop()
    },
    { scope: 'worker' },
  ],
})
