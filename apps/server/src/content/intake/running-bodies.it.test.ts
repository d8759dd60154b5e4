import { describe, expect, it } from 'vitest'
import { openWorld } from '../../testing/worlds.ts'
import { IntakeSite } from './testing/intake-site.ts'

describe('a running upload', () => {
  it('goes on without the session that began it, and not without its right', async () => {
    await using site = await IntakeSite.open(await openWorld())
    await site.nextAccount()
    const { deps, ctx, world } = site
    const stopped: string[] = []
    const begin = (path: string): (() => void) =>
      deps.running.begin(
        {
          principal: { kind: 'user', id: site.alice.id, account: ctx.principal.account, sessionId: 'ended' },
          place: { spaceId: 1, groupId: 0 },
          target: { path },
        },
        ({ code }) => void stopped.push(`${path} ${code}`),
      )
    begin('/free/a.bin')
    begin('/held/b.bin')
    const forget = begin('/held/done.bin')
    forget()
    await world.database.db
      .updateTable('users')
      .set({ file_rules: '{"forbiddenPaths":["/held"]}' })
      .where('id', '=', site.alice.id)
      .execute()
    world.clock.advance(3_000)
    await deps.running.recheck(deps)
    await deps.running.recheck(deps)
    expect(stopped).toEqual(['/held/b.bin PATH_NOT_FOUND'])
  })
})
