import { describe, expect, it } from 'vitest'
import { userPrincipal } from '../../testing/principals.ts'
import { openWorld, openWorldStorages } from '../../testing/worlds.ts'
import { createAccess } from '../access/index.ts'
import { shownIn } from './still-shown.ts'
import { openTicketWorld } from './testing/ticket-worlds.ts'

async function worldOf(mostEntries: number) {
  const world = await openTicketWorld({ mostEntries })
  for (const name of ['a', 'b', 'c']) await world.put(`/tree/in/${name}.txt`, `content of ${name}`)
  await world.choose('/tree')
  world.before(() => Promise.resolve(world.forbid('/tree/in/b.txt')))
  return world
}

describe('a zip while an entry of it becomes forbidden', () => {
  it('is without the entry where nobody knows yet what will be in it', async () => {
    await using world = await worldOf(1)
    const { status, body } = await world.download()
    expect(status).toBe(200)
    const text = body.toString('latin1')
    expect(['a', 'b', 'c'].filter((name) => text.includes(`in/${name}.txt`))).toEqual(['a', 'c'])
    expect(text).not.toContain('content of b')
  })

  it('is cut where its length was announced with the entry', async () => {
    await using world = await worldOf(1_000)
    await expect(world.download()).rejects.toThrow('terminated')
  })
})

describe('what is still shown of a selection', () => {
  it('goes by its paths with the rights of now', async () => {
    await using world = await openWorld()
    const storages = await openWorldStorages(world)
    const access = createAccess({ storages })
    const fileRules = '{"forbiddenPaths":["/tree/in/b.txt","*.key"]}'
    const ctx = { principal: userPrincipal({ fileRules }) }
    const opened = await access.openAll(ctx, { kind: 'personal', spaceId: 1 }, ['/tree'], 'download')
    const isShown = shownIn(opened)
    const paths = ['/tree', '/tree/in/a.txt', '/tree/in/b.txt', '/tree/x.key/a', '/trees', '/other']
    expect(paths.filter((path) => isShown({ path }, false))).toEqual(['/tree', '/tree/in/a.txt'])
    await storages.close()
  })
})
