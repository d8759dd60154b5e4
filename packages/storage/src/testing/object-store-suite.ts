import { describe, expect, it } from 'vitest'
import { entryCases } from './object-store-suite.entries.ts'
import { keyCases } from './object-store-suite.keys.ts'
import { moveCases } from './object-store-suite.moves.ts'
import { uploadCases } from './object-store-suite.uploads.ts'
import { storeSite, type StoreUnderTest } from './store-site.ts'

/** What every provider must do, run against the real thing. */
export function objectStoreSuite(provider: StoreUnderTest): void {
  describe(`object store: ${provider.name}`, () => {
    const site = storeSite(provider)
    const { at, namesIn } = site

    entryCases(site)
    moveCases(site)
    uploadCases(site)
    keyCases(site)

    it("moves a folder's time when an entry comes or goes, where it says so", async () => {
      if (site.store.capabilities.folderTimes === 'none') return
      const timeOf = async (): Promise<number> => (await site.store.stat(site.folder))?.modifiedMs ?? Number.NaN
      let made = 0
      const before = await timeOf()
      // A disk's clock has coarse ticks: the next one comes while folders are made.
      await expect.poll(async () => site.store.createFolder(at(`new-${made++}`)).then(timeOf)).toBeGreaterThan(before)
      const between = await timeOf()
      await expect
        .poll(async () =>
          (made > 0 ? site.store.remove(at(`new-${--made}`)) : site.store.createFolder(at(`new-${made++}`))).then(
            timeOf,
          ),
        )
        .toBeGreaterThan(between)
    })

    it('keeps its mark, the last one written, out of every listing', async () => {
      expect(await site.store.readMark()).toBeUndefined()
      await site.store.writeMark('one')
      await site.store.writeMark('{"owner": "two 二"}')
      expect(await site.store.readMark()).toBe('{"owner": "two 二"}')
      expect((await namesIn('')).every((name) => name.startsWith('case-'))).toBe(true)
    })

    it('returns the space left, where it knows', async () => {
      const space = await site.store.space()
      if (space !== undefined) expect(space.totalBytes).toBeGreaterThanOrEqual(space.freeBytes)
    })
  })
}
