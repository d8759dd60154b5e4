import { afterAll, beforeAll } from 'vitest'
import { targetSuite, type TargetFixture } from '@godwit/transfer/testing'
import { keepFilesInBucket } from '../../testing/bucket-storages.ts'
import { DATABASES, openWorld, type World } from '../../testing/worlds.ts'
import { find, within, type Location } from '../access/index.ts'
import { IntakeSite } from './testing/intake-site.ts'
import { openTransferTarget } from './transfer-target.ts'

async function worldOnBucket(): Promise<World> {
  const world = await openWorld()
  await keepFilesInBucket({ GODWIT_DATA: world.folder })
  return world
}

const SITES = [
  ...DATABASES.map(
    ({ dialect, open }) =>
      ({
        name: `a folder of a local storage, on ${dialect},`,
        open,
        times: 'given',
        resumes: 'leaves',
      }) as const,
  ),
  { name: 'a folder of a bucket', open: worldOnBucket, times: 'own', resumes: 'parts' } as const,
]

for (const { name, open, times, resumes } of SITES) {
  let site: IntakeSite
  beforeAll(async () => {
    site = await IntakeSite.open(await open())
  }, 60_000)
  afterAll(async () => site[Symbol.asyncDispose]())

  const fixture = async (): Promise<TargetFixture> => {
    await site.nextAccount()
    const root = await site.deps.files.access.open(site.ctx, { kind: 'personal', spaceId: 1 }, '/', 'list')
    await root.store.ensureFolder(root.key)
    return {
      times,
      target() {
        site.restart()
        return openTransferTarget(site.deps, site.ctx, { spaceId: 1, groupId: 0, folder: '/' })
      },
      async file(path) {
        const found = await find(path.split('/').reduce(within, root))
        if (found?.entry.kind !== 'file') return undefined
        return { bytes: await bytesAt(found.location), mtimeMs: found.entry.modifiedMs }
      },
      isFolder: async (path) => (await find(path.split('/').reduce(within, root)))?.entry.kind === 'folder',
      async put(path, content, modifiedMs) {
        await root.store.writeFiles([{ key: `${root.key}/${path}`, content, modifiedMs }], { conflict: 'replace' })
      },
      async leftovers() {
        const rows = await site.intake.unfinishedOf(site.alice.id)
        return [...rows.map(({ row }) => row.path), ...site.hidden()]
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }
  }
  targetSuite(name, fixture, resumes)
}

async function bytesAt({ store, key }: Location): Promise<Uint8Array> {
  await using reader = await store.openRead(key)
  const chunks: Buffer[] = []
  for await (const chunk of reader.stream()) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}
