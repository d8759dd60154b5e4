import { type Godwit, launchGodwit } from '@godwit/testkit'
import { test as base } from './fixtures.ts'

/** For a file whose tests change the settings of the site: each call has a server of its own, so that no other file meets what they set. */
export function withOwnServer() {
  return base.extend<object, { readonly godwit: Godwit }>({
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
}
