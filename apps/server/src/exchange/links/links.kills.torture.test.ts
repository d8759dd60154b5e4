import { expect, it } from 'vitest'
import { uploadThroughKills } from './testing/guest-kills.ts'

it('a guest’s 5 GB arrive whole, though the server is killed twice and the page begins anew', async () => {
  const { sentSha256, storedSha256, again, lost } = await uploadThroughKills(5_000_000_000)
  expect({ storedSha256, again, lost }).toEqual({ storedSha256: sentSha256, again: 0, lost: 0 })
})
