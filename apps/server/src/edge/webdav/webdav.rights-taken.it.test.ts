import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'
import { mountAs } from './testing/dav.ts'

/** Far more than the 5 s of the rule, far less than the minute after which a sender that sends nothing is cut anyway. */
const SOON = { timeout: 25_000 }

describe('files that are being sent to a mount', () => {
  let site: Site

  beforeAll(async () => {
    site = await openSite()
    await site.addUser('ben')
    await site.cli('group add Team')
    await site.cli('group member --group 1 --account ben --permission list,upload')
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  /** Paths of the files under way. */
  const paths = () =>
    site.withDatabase(async ({ db }) => {
      const query = db.selectFrom('uploads').select('path').where('state', '=', 'open')
      const rows = await query.where('carrier', '=', 'webdav').orderBy('path').execute()
      return rows.map(({ path }) => path)
    })

  it('end with the right to send them, one by one', async () => {
    const [ben, program] = [await mountAs(site, 'ben'), await mountAs(site, 'ben')]
    await ben.send('MKCOL', ['personal', 'held'])
    const begun = [
      [ben, ['personal', 'free.bin']],
      [ben, ['personal', 'held', 'forbidden.bin']],
      [program, ['personal', 'revoked.bin']],
      [ben, ['groups', 'Team', 'team.bin']],
    ] as const
    const cuts = begun.map(([mount, names]) => mount.beginPut(names, 50_000_000, 3_000_000))
    await expect.poll(paths, SOON).toEqual(['/free.bin', '/held/forbidden.bin', '/revoked.bin', '/team.bin'])
    await site.withDatabase(({ db }) =>
      db
        .updateTable('users')
        .set({ file_rules: '{"forbiddenPaths":["/held"]}' })
        .where('account', '=', 'ben')
        .execute(),
    )
    await expect.poll(paths, SOON).toEqual(['/free.bin', '/revoked.bin', '/team.bin'])
    await site.cli('group member --group 1 --account ben --remove')
    await expect.poll(paths, SOON).toEqual(['/free.bin', '/revoked.bin'])
    const json = { tokenId: program.tokenId }
    await site.ask({ method: 'POST', path: '/api/user/api-tokens/remove', token: ben.session, json })
    await expect.poll(paths, SOON).toEqual(['/free.bin'])
    for (const cut of cuts) cut()
    await expect.poll(paths, SOON).toEqual([])
    expect(await ben.list(['personal'])).toEqual([])
  })
})
