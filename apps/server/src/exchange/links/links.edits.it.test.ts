import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'
import { openSharing, verify, visitWith, type Sharing } from './testing/guests.ts'

const DAY_S = 86_400
const ROUNDS = 10
const inSeconds = (): number => Math.floor(Date.now() / 1000)

const PASSWORD = { needPassword: true, shareUrlPasswd: 'rose' }
const GUARDED = { needPassword: true, sharePassword: 'rose' }
const ALIAS = { fileAlias: [{ file: 'a.txt', alias: 'Offer.txt' }] }
const START = { notBefore: inSeconds() + DAY_S }
const EVERYONE = { audience: { kind: 'everyone' } }

/** What is changed, how the link was made, what its owner asks for, and what the link shows then. */
const CASES: ReadonlyArray<readonly [string, object, object, object]> = [
  ['a password', {}, PASSWORD, GUARDED],
  ['a password with an audience', EVERYONE, { ...PASSWORD, audience: { kind: 'anyone' } }, GUARDED],
  ['no password', PASSWORD, { needPassword: false }, { needPassword: false }],
  ['an alias', {}, ALIAS, ALIAS],
  ['a first day', {}, START, START],
]

for (const engine of ['SQLite', 'MariaDB'] as const) {
  describe(`edits of a link at once on ${engine}`, () => {
    let site: Site
    let mei: Sharing

    beforeAll(async () => {
      site = await openSite(engine === 'SQLite' ? {} : { databaseUrl: await mariadbUrl() })
      mei = await openSharing(site, 'mei')
      mei.put('plans/a.txt', 'alpha')
      mei.put('plans/b.txt', 'beta')
    })
    afterAll(async () => site[Symbol.asyncDispose]())

    const detail = async (url: string) => (await mei.look(`detail?url=${url}`)).data
    const edit = (url: string, terms: object) => mei.own('edit', { shareUrl: url, ...terms })
    const extend = (url: string) => mei.own('extend', { shareUrlList: [url], days: 7 })
    const share = (terms: object) => mei.link({ shareServerPath: '/plans', shareFiles: ['a.txt', 'b.txt'], ...terms })

    it.each(CASES)('keep %s while another one extends it', async (_what, made, terms, shown) => {
      for (let round = 1; round <= ROUNDS; round++) {
        const end = inSeconds() + 2 * DAY_S
        const url = await share({ shareExpireTime: end, ...made })
        const answers = await Promise.all([edit(url, terms), extend(url)])
        expect(answers.map(({ code }) => code)).toEqual([200, 200])
        expect(await detail(url), `round ${round}`).toMatchObject({ ...shown, shareExpireTime: end + 7 * DAY_S })
      }
    })

    it('let no guest in without the password that one of them sets', async () => {
      for (let round = 1; round <= ROUNDS; round++) {
        const url = await share({})
        await Promise.all([edit(url, PASSWORD), edit(url, { description: 'for the meeting' }), extend(url)])
        expect((await verify(site, { url })).data, `round ${round}`).toMatchObject({ result: false, code: 5602 })
      }
    })

    it('let no guest stay in who came at the same moment and did not show the password', async () => {
      for (let round = 1; round <= ROUNDS; round++) {
        const url = await share({})
        const [admitted] = await Promise.all([verify(site, { url }), edit(url, PASSWORD)])
        const { token } = admitted.data as unknown as { readonly token: string }
        if (token === '') continue
        expect((await visitWith(site, token).ask('list', { folder: '/' })).code, `round ${round}`).toBe(1009)
      }
    })

    it('extend it as often as they were asked to', async () => {
      for (let round = 1; round <= ROUNDS; round++) {
        const end = inSeconds() + 2 * DAY_S
        const url = await share({ shareExpireTime: end })
        await Promise.all([extend(url), extend(url)])
        expect(await detail(url), `round ${round}`).toMatchObject({ shareExpireTime: end + 14 * DAY_S })
      }
    })
  })
}
