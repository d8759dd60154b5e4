import { MiB } from '@godwit/base'
import { expect, it } from 'vitest'
import { uploadThroughKills } from './testing/guest-kills.ts'

it('a guest’s 200 MiB arrive whole, though the server is killed twice and the page begins anew', async () => {
  const { sentSha256, storedSha256, again, lost } = await uploadThroughKills(200 * MiB + 1)
  expect({ storedSha256, again, lost }).toEqual({ storedSha256: sentSha256, again: 0, lost: 0 })
})
