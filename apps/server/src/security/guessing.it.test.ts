import { encodePassword } from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { openSite, PASSWORD, type Site } from './testing/sites.ts'
import type { Answer } from './testing/wire.ts'

const TRUSTED = { GODWIT_TRUSTED_PROXIES: '127.0.0.1' }

function guess(site: Site, account: string, password: string, from = '198.51.100.1'): Promise<Answer> {
  const headers = { 'x-forwarded-for': from }
  return site.ask({
    method: 'POST',
    path: '/api/user/login',
    headers,
    json: { account, password: encodePassword(password) },
  })
}

function guessFirst(site: Site, account: string, password: string): Promise<Answer> {
  const json = { account, oldPassword: encodePassword(password), newPassword: encodePassword('Moonlight-77') }
  return site.ask({ method: 'POST', path: '/api/user/password/firstLogin/update', json })
}

describe('guessing passwords', () => {
  it('shares one limit among all doors that take one, at 200 guesses at a time (T20, T22, T47)', async () => {
    await using site = await openSite()
    await site.addUser('mei')
    const { token } = await site.signIn('mei')
    const change = (oldPassword: string) =>
      site.ask({
        method: 'PUT',
        path: '/api/user/password/update',
        token,
        json: { oldPassword: encodePassword(oldPassword), newPassword: encodePassword('Moonlight-77') },
      })
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => {
        const wrong = `wrong-${index}`
        if (index % 3 === 0) return guess(site, index % 2 === 0 ? 'mei' : 'MEI', wrong)
        return index % 3 === 1 ? guessFirst(site, 'mei', wrong) : change(wrong)
      }),
    )
    const tried = answers.filter((answer) => answer.code === 1005 || answer.code === 1023)
    expect(tried).toHaveLength(5)
    expect(answers.filter((answer) => answer.code === 1050)).toHaveLength(195)
    expect((await guess(site, 'mei', PASSWORD)).code).toBe(1050)
    expect((await change(PASSWORD)).code).toBe(1050)
  })

  it('counts a thousand addresses of one IPv6 network as one (T21)', async () => {
    await using site = await openSite({ env: TRUSTED })
    const answers: Answer[] = []
    for (let at = 0; at < 1_000; at += 20) {
      const batch = Array.from({ length: 20 }, (_, index) =>
        guess(site, `nobody${at + index}`, 'x', `2001:db8:1:2::${(at + index).toString(16)}`),
      )
      answers.push(...(await Promise.all(batch)))
    }
    expect(answers.filter(({ code }) => code === 1005)).toHaveLength(100)
    expect((await guess(site, 'nobody', 'x', '2001:db8:1:3::1')).code).toBe(1005)
  })

  it('is not made endless by signing in to an account of one’s own in between (T20)', async () => {
    await using site = await openSite({ env: TRUSTED })
    await site.addUser('attacker')
    let tried = 0
    for (let round = 0; round < 40; round++) {
      const answers = await Promise.all(
        Array.from({ length: 4 }, (_, index) => guess(site, `victim${round * 4 + index}`, 'Summer-2026')),
      )
      tried += answers.filter(({ code }) => code === 1005).length
      await guess(site, 'attacker', PASSWORD)
    }
    expect(tried).toBe(100)
  })

  it('takes no empty, blank or NUL password, and answers unknown accounts as known ones (T24, T33)', async () => {
    await using site = await openSite()
    for (const password of ['', '\0', 'a\0b']) expect((await guess(site, 'admin', password)).code).toBe(400)
    const known = await guess(site, 'admin', 'wrong')
    const unknown = await guess(site, 'nobody', 'wrong')
    const plain = ({ text }: Answer) => text.replace(/"requestId":"[^"]*"/, '')
    expect(plain(unknown)).toBe(plain(known))
  })
})
