import { expect, it } from 'vitest'
import { openSite } from '../../security/testing/sites.ts'
import { Luggage, receiver, sender } from './testing/meetings.ts'

const MIB = 1024 * 1024

it('two programs that reach the server by IPv6 meet there, and data goes directly by UDP', async () => {
  await using site = await openSite({ env: { GODWIT_HOST: '::' } })
  await site.addUser('mei')
  const { token } = await site.signIn('mei')
  const url = `http://[::1]:${new URL(site.url).port}`
  using luggage = new Luggage(2 * MIB)
  const { gwt, code } = await receiver(url, luggage.into, { token })
  const send = sender(url, luggage.file, { code })
  expect(await send.exitCode()).toBe(0)
  expect(luggage.isWhole).toBe(true)
  expect(send.events.findLast(({ event }) => event === 'path')).toMatchObject({ mode: 'udp', way: 'direct' })
  await gwt.stop('SIGTERM')
})
