import { encodePassword } from '@godwit/contract'
import { expect, it } from 'vitest'
import { openSite, PASSWORD } from '../../security/testing/sites.ts'

const SEEN = { timeout: 30_000, interval: 50 }

it('an account stays signed in from one address alone once the site says so, and from several before', async () => {
  await using site = await openSite({ env: { GODWIT_TRUSTED_PROXIES: '127.0.0.1' } })
  await site.addUser('mei')
  const from = async (address: string) => {
    const answer = await site.ask({
      ...{ method: 'POST', path: '/api/user/login', headers: { 'x-forwarded-for': address } },
      json: { account: 'mei', password: encodePassword(PASSWORD) },
    })
    return String(answer.data['token'])
  }
  const isIn = async (token: string) => (await site.call(token, 'list', { folder: '/' })).code === 200
  const [home, office] = [await from('203.0.113.7'), await from('203.0.113.8')]
  expect([await isIn(home), await isIn(office)]).toEqual([true, true])
  expect(await site.cli('settings set multiIpSwitch 0')).toBe(0)
  // The running server has the change within a second; nobody is thrown out by the change itself.
  let here = office
  await expect
    .poll(async () => {
      here = await from('203.0.113.8')
      return isIn(home)
    }, SEEN)
    .toBe(false)
  // Two browsers behind one address are one place.
  const other = await from('203.0.113.8')
  expect([await isIn(here), await isIn(other)]).toEqual([true, true])
  await from('2001:db8::1')
  expect([await isIn(here), await isIn(other)]).toEqual([false, false])
})
