import fs from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openWorld } from '../../../testing/worlds.ts'
import { bytes } from '../../intake/testing/intake-site.ts'
import { LIBRARY, PAIRS, TwoStorages } from './testing/two-storages.ts'

/** Another program wrote it: no key can name it, so no listing has it. */
const ODD = 'C:\\report.txt'

describe('a folder with something in it that no key can name', () => {
  let two: TwoStorages
  beforeAll(async () => {
    two = await TwoStorages.open(await openWorld(), PAIRS[0])
  })
  afterAll(async () => two[Symbol.asyncDispose]())
  beforeEach(async () => {
    await two.nextAccount()
    await two.clearLibrary()
    await two.site.intake.upload(bytes(700), { relativePath: 'tree/file' })
    fs.writeFileSync(`${onDisk('tree')}/${ODD}`, 'not to be lost')
  })

  const onDisk = (name: string) => two.site.intake.onDisk(name)
  const run = async (name: string, input: object) => {
    await two.site.call(name, input)
    expect(await two.site.runJobs()).toEqual([])
  }

  it('stays when the rest of it is moved to another storage', async () => {
    expect(await two.transfer('move', ['/tree'])).toEqual([])
    expect([...(await two.inLibrary()).keys()]).toEqual([`${LIBRARY}/tree/file`])
    expect(fs.readdirSync(onDisk('tree'))).toEqual([ODD])
  })

  it('stays when the rest of it is moved into a folder of its name', async () => {
    await two.site.intake.upload(bytes(10), { relativePath: 'other/tree/present' })
    await run('move', { paths: ['/tree'], target: '/other', conflict: 'skip' })
    expect(fs.readdirSync(onDisk('other/tree')).toSorted()).toEqual(['file', 'present'])
    expect(fs.readdirSync(onDisk('tree'))).toEqual([ODD])
  })

  it('stays in the bin when the rest of it is restored', async () => {
    await run('remove', { paths: ['/tree'] })
    await two.site.intake.upload(bytes(10), { relativePath: 'tree/present' })
    const { db } = two.site.deps
    const item = await db.selectFrom('recycle_items').selectAll().executeTakeFirstOrThrow()
    await run('restore', { recycleIds: [item.id], conflict: 'skip' })
    expect(fs.readdirSync(onDisk('tree')).toSorted()).toEqual(['file', 'present'])
    expect(fs.readdirSync(`${two.site.intake.world.folder}/files/${item.storage_key}`)).toEqual([ODD])
    expect(await db.selectFrom('recycle_items').select('id').execute()).toEqual([{ id: item.id }])
  })
})
