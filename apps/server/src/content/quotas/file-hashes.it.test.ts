import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES, type World } from '../../testing/worlds.ts'
import {
  allHashes,
  carryHashes,
  forgetHashes,
  hashAt,
  hashesOf,
  rememberHashes,
  retagHashes,
} from './file-hashes.store.ts'

/** As short as the column. */
const hashFor = (key: string): string => `hash of ${key}`.slice(0, 64)

for (const { dialect, open } of DATABASES) {
  describe(`noted hashes on ${dialect}`, () => {
    let world: World
    beforeEach(async () => (world = await open()))
    afterEach(async () => world[Symbol.asyncDispose]())

    const note = (...keys: string[]) =>
      rememberHashes(
        world.database.db,
        world.clock,
        keys.map((key) => ({ spaceId: 1, key, etag: `tag-${key.length}-${key.slice(-1)}`, hash: hashFor(key) })),
      )
    const keys = async (spaceId = 1) => {
      const found: string[] = []
      for await (const rows of allHashes(world.database.db, spaceId)) found.push(...rows.map(({ key }) => key))
      return found.toSorted()
    }

    it('stand under their key and are found by their tag', async () => {
      await note('a/b')
      expect(await hashAt(world.database.db, { spaceIds: [1], key: 'a/b' })).toEqual({
        spaceId: 1,
        etag: 'tag-3-b',
        hash: hashFor('a/b'),
      })
      expect(await hashAt(world.database.db, { spaceIds: [2], key: 'a/b' })).toBeUndefined()
      expect(await hashesOf(world.database.db, { spaceIds: [1], etag: 'tag-3-b' })).toEqual([
        { key: 'a/b', hash: hashFor('a/b') },
      ])
    })

    it('are replaced with their file, and kept apart for two files of one content', async () => {
      const { db } = world.database
      const same = { spaceId: 1, etag: 'same', hash: 'h' }
      await rememberHashes(db, world.clock, [
        { ...same, key: 'one' },
        { ...same, key: 'two' },
      ])
      expect(await hashesOf(db, { spaceIds: [1, 2], etag: 'same' })).toHaveLength(2)
      await rememberHashes(db, world.clock, [{ ...same, key: 'one', etag: 'other' }])
      expect(await hashesOf(db, { spaceIds: [1, 2], etag: 'same' })).toEqual([{ key: 'two', hash: 'h' }])
      expect((await hashAt(db, { spaceIds: [1], key: 'one' }))?.etag).toBe('other')
    })

    it('follow a folder with all below it, and nothing beside it', async () => {
      await note('f', 'f/a', 'f/sub/b', 'f0', 'f.x', 'F/a', 'ff/a', 'target/a')
      await carryHashes(world.database.db, { spaceId: 1, from: 'f', to: 'target', until: world.clock.now() })
      expect(await keys()).toEqual(['F/a', 'f.x', 'f0', 'ff/a', 'target', 'target/a', 'target/sub/b'].toSorted())
      expect((await hashAt(world.database.db, { spaceIds: [1], key: 'target/a' }))?.hash).toBe(hashFor('f/a'))
    })

    it('stay with a file that came to the old place after the move', async () => {
      await note('f/a')
      const until = world.clock.now()
      world.clock.advance(1)
      await note('f/b')
      await carryHashes(world.database.db, { spaceId: 1, from: 'f', to: 'g', until })
      expect(await keys()).toEqual(['f/b', 'g/a'])
    })

    it('are forgotten with a folder, and stay in another space', async () => {
      const { db } = world.database
      await note('f/a', 'f/b', 'g/a')
      await rememberHashes(db, world.clock, [{ spaceId: 2, key: 'f/a', etag: 'x', hash: 'h' }])
      await forgetHashes(db, 1, 'f')
      expect(await keys()).toEqual(['g/a'])
      expect(await keys(2)).toEqual(['f/a'])
    })

    it('follow in batches: 2,500 files, names of every kind and keys of 4,000 bytes', async () => {
      const long = `${'深'.repeat(80)}/`.repeat(16)
      const names = Array.from({ length: 2_500 }, (_, at) => `f/${long}${at}%_ é`)
      await note(...names)
      await carryHashes(world.database.db, { spaceId: 1, from: 'f', to: 'f2', until: world.clock.now() })
      expect(await keys()).toEqual(names.map((name) => name.replace('f/', 'f2/')).toSorted())
    })

    it('take the tags of a storage that was made anew', async () => {
      const { db } = world.database
      await note('a', 'b')
      const stat = (key: string) =>
        Promise.resolve(key === 'a' ? { key, kind: 'file' as const, size: 1, modifiedMs: 1, etag: 'new' } : undefined)
      await retagHashes(db, { stat })
      expect((await hashAt(db, { spaceIds: [1], key: 'a' }))?.etag).toBe('new')
      expect((await hashAt(db, { spaceIds: [1], key: 'b' }))?.etag).toBe('tag-1-b')
    })
  })
}
