import { errorByWire, type JobView } from '@godwit/contract'
import type { ObjectStore } from '@godwit/storage'
import { GROUP, LIBRARY, type TwoStorages } from '../../files/jobs/testing/two-storages.ts'
import { bytes } from '../../intake/testing/intake-site.ts'
import { bucketOf } from '../../quotas/index.ts'
import { startRemove } from '../../recycle/recycle.service.ts'
import { bookRevert } from '../../versions/versions.upkeep.ts'
import { startUndo } from '../undo.service.ts'

const THERE = ['box/inner', 'box/own', 'box/sub/own']
const HERE = ['box/inner', 'box/sub/deep', 'box/new/more', 'file', 'to/box/inner', 'to/box/own']
const TO_LIBRARY = { target: '/', targetGroupId: GROUP }

/** A home and the library of a group, with folders of the same names. */
export class TwoPlaces {
  readonly two: TwoStorages

  constructor(two: TwoStorages) {
    this.two = two
  }

  /** What the versions of a server are taken back by. */
  bookReverts(): void {
    this.two.site.deps.files.steps.onBook('revert', bookRevert(this.two.site.intake.deps))
  }

  async prepare(): Promise<void> {
    const { two } = this
    await two.nextAccount()
    this.bookReverts()
    await two.clearLibrary()
    for (const [at, name] of THERE.entries()) await this.put(`there/${name}`, 30 + at)
    await this.put('there/box/inner', 40, 'replace')
    await two.transfer('move', ['/there/box'])
    for (const [at, name] of HERE.entries()) await this.put(name, 50 + at)
    await this.put('box/inner', 60, 'replace')
    await two.home.ensureFolder(`${two.site.intake.alice.home}/box/empty`)
  }

  async put(relativePath: string, size: number, conflict: 'fail' | 'replace' = 'fail'): Promise<void> {
    await this.two.site.intake.upload(bytes(size, size), { relativePath, conflict })
  }

  /** @returns the job; it failed nowhere */
  async transfer(kind: 'copy' | 'move', paths: readonly string[], more: object = {}): Promise<string> {
    const { site } = this.two
    const { job } = (await site.call(kind, { paths, conflict: 'replace', ...TO_LIBRARY, ...more })) as { job: JobView }
    const failures = await site.runJobs()
    if (failures.length > 0) throw new Error(failures.join())
    return job.jobId
  }

  /** @returns failures */
  async undo(jobId: string): Promise<readonly string[]> {
    const { deps, intake } = this.two.site
    const recycle = { remove: (...[ctx, request]: [never, never]) => startRemove(deps, ctx, request) }
    const { job } = await startUndo({ ...deps, recycle }, intake.ctx, jobId)
    // A short one may be over already: then its failures are those of the answer.
    const atOnce = job.failures.map(({ path, code }) => `${path} ${errorByWire(code)}`)
    const failures = await this.two.site.runJobs()
    return job.state === 'queued' ? failures : atOnce
  }

  /** All that is in both places, with what is booked there and the versions that each file has. */
  async state(): Promise<string> {
    const { two } = this
    const { alice } = two.site.intake
    const buckets = [alice.id, bucketOf({ userId: '', groupId: GROUP })]
    const books = await Promise.all(buckets.map(async (bucket) => JSON.stringify(await two.usedBy(bucket))))
    const versions = two.site.deps.db.selectFrom('file_versions').select(['bucket', 'storage_key', 'size'])
    const kept = (await versions.execute()).map((row) => `version ${row.bucket} ${row.storage_key} ${row.size}`)
    const trees = [...(await treeOf(two.home, alice.home)), ...(await treeOf(two.library, LIBRARY))]
    const contents = [...(await two.atHome()), ...(await two.inLibrary())].map(
      ([key, content]) => `${key} ${content.toString('hex')}`,
    )
    return [...books, ...[...kept, ...trees, ...contents].toSorted()].join('\n')
  }
}

async function treeOf(store: ObjectStore, key: string): Promise<string[]> {
  const found: string[] = []
  for await (const { names, kinds } of store.list(key)) {
    for (const [at, name] of names.entries()) {
      found.push(`${key}/${name}`)
      if (kinds[at] === 1) found.push(...(await treeOf(store, `${key}/${name}`)))
    }
  }
  return found
}
