import { MiB } from '@godwit/base'
import { StorageError, type ObjectStore } from '@godwit/storage'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { databaseFailure, type Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { DATABASES } from '../../testing/worlds.ts'
import { completeUpload } from './intake.completion.ts'
import type { IntakeDeps } from './intake.deps.ts'
import { reconcile } from './intake.reconciliation.ts'
import { uploadsStore } from './intake.store.ts'
import { abortUpload } from './intake.transitions.ts'
import { LiveUploads } from './live-uploads.ts'
import { bytes, IntakeSite } from './testing/intake-site.ts'

/** A database that can be made to refuse every statement, as one whose server is gone. */
function breakable(db: Db) {
  const fault = { isDown: false }
  const proxied = new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (fault.isDown) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', fatal: true })
      return (value as (...args: unknown[]) => unknown).bind(target)
    },
  })
  return { db: proxied, fault }
}

for (const { dialect, open } of DATABASES) {
  describe(`faults while a file is published, on ${dialect}`, () => {
    let site: IntakeSite
    let store: ObjectStore
    let deps: IntakeDeps
    let fault: { isDown: boolean }

    beforeAll(async () => {
      site = await IntakeSite.open(await open())
    })
    beforeEach(async () => {
      await site.nextAccount()
      const [only] = site.deps.files.storages.all()
      if (only === undefined) throw new Error('no store')
      store = only
      const broken = breakable(site.deps.db)
      fault = broken.fault
      deps = { ...site.deps, db: broken.db, live: new LiveUploads(broken.db, site.deps.files.storages) }
    })
    afterEach(() => vi.restoreAllMocks())
    afterAll(async () => site[Symbol.asyncDispose]())

    const wholeUpload = async (content = bytes(MiB), change: { readonly conflict?: 'replace' } = {}) => {
      const { live } = await site.create({ size: content.length, ...change })
      await site.putAll(live, content)
      const own = await deps.live.get(live.id)
      if (own === undefined) throw new Error('no upload')
      own.target = live.target
      return own
    }
    const stateOf = async (id: string) => (await uploadsStore.byId(site.deps.db, id))?.state
    const bookedEvents = async () => {
      const rows = await site.deps.db.selectFrom('outbox').select('payload').execute()
      return rows.filter(({ payload }) => payload.includes(site.alice.id)).length
    }
    /** The storage shows the file, and then the database is gone. */
    const loseDatabaseAfterShowing = () => {
      const complete = store.completeUpload.bind(store)
      vi.spyOn(store, 'completeUpload').mockImplementation(async (...args) => {
        const entry = await complete(...args)
        fault.isDown = true
        return entry
      })
    }

    it('an upload whose booking met a lost database is booked once, when it is back', async () => {
      const live = await wholeUpload()
      loseDatabaseAfterShowing()
      const failed = await completeUpload(deps, live, {}).catch((thrown: unknown) => thrown)
      expect(databaseFailure(failed)).toBe('DATABASE_UNAVAILABLE')
      vi.restoreAllMocks()
      await expect(reconcile(deps)).rejects.toThrow('ECONNREFUSED')
      fault.isDown = false
      expect(await stateOf(live.id)).toBe('processing')
      expect(await reconcile(deps)).toBe(1)
      expect(await stateOf(live.id)).toBe('completed')
      expect([await site.usedBytes(), await bookedEvents()]).toEqual([MiB, 1])
      expect(await reconcile(deps)).toBe(0)
      expect(await completeUpload(deps, live, {})).toMatchObject({ state: 'completed', path: '/a.bin' })
      expect([await site.usedBytes(), await bookedEvents()]).toEqual([MiB, 1])
    })

    it('asked to complete again when the database is back, it answers at once', async () => {
      const live = await wholeUpload()
      loseDatabaseAfterShowing()
      await expect(completeUpload(deps, live, {})).rejects.toThrow('ECONNREFUSED')
      vi.restoreAllMocks()
      await expect(completeUpload(deps, live, {})).rejects.toThrow('ECONNREFUSED')
      fault.isDown = false
      expect(await completeUpload(deps, live, {})).toMatchObject({ state: 'completed', path: '/a.bin' })
      expect([await site.usedBytes(), await bookedEvents()]).toEqual([MiB, 1])
    })

    it('a database that goes before the file is shown leaves an upload that completes later', async () => {
      const live = await wholeUpload()
      vi.spyOn(store, 'completeUpload').mockImplementation(() => {
        fault.isDown = true
        return Promise.reject(new StorageError('permission'))
      })
      await expect(completeUpload(deps, live, {})).rejects.toThrow('ECONNREFUSED')
      vi.restoreAllMocks()
      fault.isDown = false
      expect(await completeUpload(deps, live, {})).toMatchObject({ state: 'completed' })
      expect([await site.usedBytes(), await bookedEvents()]).toEqual([MiB, 1])
    })

    it('a storage that shows the file and loses the answer shows it once, under the first name', async () => {
      const live = await wholeUpload()
      const complete = store.completeUpload.bind(store)
      vi.spyOn(store, 'completeUpload').mockImplementation(async (...args) => {
        await complete(...args)
        throw new StorageError('unreachable')
      })
      const request = { conflict: 'keep-both' } as const
      await expect(completeUpload(deps, live, request)).rejects.toMatchObject({ code: 'STORAGE_UNREACHABLE' })
      expect(await stateOf(live.id)).toBe('processing')
      vi.restoreAllMocks()
      expect(await completeUpload(deps, live, request)).toMatchObject({ path: '/a.bin' })
      expect([await site.usedBytes(), await bookedEvents()]).toEqual([MiB, 1])
    })

    describe('where a file is to be replaced', () => {
      const [old, meant, newer] = [bytes(7, 1), bytes(8, 2), bytes(9, 3)]
      const request = { conflict: 'replace' } as const

      /** Written down and not shown, as a storage that did not answer leaves it. */
      const interrupted = async () => {
        await site.upload(old)
        const live = await wholeUpload(meant, request)
        vi.spyOn(store, 'completeUpload').mockRejectedValue(new StorageError('unreachable'))
        await expect(completeUpload(deps, live, request)).rejects.toMatchObject({ code: 'STORAGE_UNREACHABLE' })
        vi.restoreAllMocks()
        return live
      }

      it('a file that came under the name meanwhile is kept, until it is asked again', async () => {
        const live = await interrupted()
        await site.upload(newer, request)
        await reconcile(deps)
        expect(site.read('a.bin')).toEqual(newer)
        expect(await stateOf(live.id)).toBe('open')
        await expect(completeUpload(deps, live, { ...request, replaces: 'another' })).rejects.toMatchObject({
          code: 'FILE_CHANGED',
        })
        expect(await completeUpload(deps, live, request)).toMatchObject({ state: 'completed' })
        expect([site.read('a.bin'), await site.usedBytes()]).toEqual([meant, meant.length])
      })

      it('the file that was meant is replaced, while nobody else holds its folder', async () => {
        await interrupted()
        const steps: string[] = []
        const { locks } = deps.files
        const run: typeof locks.run = (folder, work) =>
          locks.run(folder, async (held) => {
            steps.push('locked')
            return work(held).finally(() => steps.push('free'))
          })
        const complete = store.completeUpload.bind(store)
        vi.spyOn(store, 'completeUpload').mockImplementation((...args) => {
          steps.push('shown')
          return complete(...args)
        })
        expect(await reconcile({ ...deps, files: { ...deps.files, locks: { ...locks, run } } })).toBe(1)
        expect(steps).toEqual(['locked', 'shown', 'free'])
        expect([site.read('a.bin'), await site.usedBytes()]).toEqual([meant, meant.length])
      })

      it('nothing is replaced by a node that lost its lease on the folder', async () => {
        await site.upload(old)
        const live = await wholeUpload(meant, request)
        const { locks } = deps.files
        const lost = new AbortController()
        const run: typeof locks.run = (folder, work) => locks.run(folder, () => work(lost.signal))
        const hung = { ...deps, files: { ...deps.files, locks: { ...locks, run } } }
        const { fileLocks } = deps.files
        vi.spyOn(fileLocks, 'require').mockImplementationOnce(() => {
          lost.abort(new AppError('FILE_BUSY'))
          return Promise.resolve()
        })
        await expect(completeUpload(hung, live, request)).rejects.toMatchObject({ code: 'FILE_BUSY' })
        expect(site.read('a.bin')).toEqual(old)
        expect(await completeUpload(deps, live, request)).toMatchObject({ state: 'completed' })
        expect([site.read('a.bin'), await site.usedBytes()]).toEqual([meant, meant.length])
      })

      it('one that was shown before its answer was lost is booked', async () => {
        await site.upload(old)
        const live = await wholeUpload(meant, request)
        loseDatabaseAfterShowing()
        await expect(completeUpload(deps, live, request)).rejects.toThrow('ECONNREFUSED')
        vi.restoreAllMocks()
        fault.isDown = false
        expect(await reconcile(deps)).toBe(1)
        expect(await stateOf(live.id)).toBe('completed')
        expect([site.read('a.bin'), await site.usedBytes()]).toEqual([meant, meant.length])
      })

      it('the content that was put aside for it stays as a version beside the newer one', async () => {
        const keep = { name: 'versions.keep', scope: 'site', scope_id: '', value: '5' } as const
        await site.deps.db.insertInto('setting_values').values(keep).execute()
        site.restart()
        deps = { ...deps, files: site.deps.files }
        const live = await interrupted()
        await site.upload(newer, { conflict: 'replace' })
        await reconcile(deps)
        expect(site.read('a.bin')).toEqual(newer)
        expect(await stateOf(live.id)).toBe('open')
        const kept = await site.deps.db.selectFrom('file_versions').select(['size', 'version_key']).execute()
        expect(kept.map(({ size }) => Number(size))).toEqual([old.length])
        for (const { version_key: key } of kept) expect(await store.stat(key)).toMatchObject({ size: old.length })
        await site.deps.db.deleteFrom('setting_values').where('name', '=', keep.name).execute()
        site.restart()
      })
    })

    it('a reservation that grew behind the back of an abort does not leak', async () => {
      const { live } = await site.create({ size: null, carrier: 'tus' })
      const mine = await deps.live.get(live.id)
      if (mine === undefined) throw new Error('no upload')
      await site.intake.declareLength(live, 7)
      const stale = { ...mine.row, reserved_bytes: 0 }
      vi.spyOn(deps.live, 'reload').mockImplementationOnce(() => Promise.resolve(void (mine.row = stale)))
      await expect(abortUpload(deps, mine)).rejects.toMatchObject({ code: 'UPLOAD_BUSY' })
      await abortUpload(deps, mine)
      expect(await site.usedBytes()).toBe(0)
    })
  })
}
