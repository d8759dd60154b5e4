// Long because it is one story: what a store does in a day, and what must be left of it after any fault.
import { fakeClock, seededRandom } from '@godwit/base'
import { expect } from 'vitest'
import { StorageError } from '../errors.ts'
import type { Disk } from '../local/disk.ts'
import { openLocalStore } from '../local/local-store.ts'
import type { ObjectStore, Upload } from '../object-store.ts'
import { failsFromCall, failingDisk, forEveryFault, failsOnCall } from './failing-disk.ts'
import { MemoryDisk, type Survival } from './memory-disk.ts'
import { inChunks, readAll, someBytes } from './sources.ts'

const PART = 10_000
const CONTENT = someBytes(3 * PART + 500, 1)
const OLD = someBytes(7000, 2)
const SMALL = [1, 2, 3].map((index) => ({ key: `in/small-${index}`, content: someBytes(index * 3000, 10 + index) }))

/** What a visible name may hold; anything else is half a file. */
const WHOLE: Record<string, readonly string[]> = {
  'in/replaced': ['old', 'content'],
  'in/new': ['content'],
  'in/moved': ['old'],
  'in/before': ['old'],
  'in/copied': ['old'],
  'in/removed': ['old'],
  ...Object.fromEntries(SMALL.map(({ key }) => [key, [key]])),
}

const CONTENTS: ReadonlyArray<readonly [string, Uint8Array]> = [
  ['old', OLD],
  ['content', CONTENT],
  ...SMALL.map(({ key, content }) => [key, content] as const),
]

/** Contents by the names they have in this test, which reads better than bytes. */
function named(files: ReadonlyMap<string, Uint8Array>): Array<readonly [string, string]> {
  const nameOf = (bytes: Uint8Array): string =>
    CONTENTS.find(([, content]) => Buffer.compare(content, bytes) === 0)?.[0] ?? `${bytes.length} wrong bytes`
  return Array.from(files, ([key, bytes]) => [key, nameOf(bytes)] as const)
}

/** Everything the store acknowledged, recorded outside of it. */
interface Acknowledged {
  readonly uploads: Array<{ readonly upload: Upload; readonly parts: Set<number>; completed: boolean }>
  /** Names that must be there with this content. */
  readonly present: Map<string, Uint8Array>
  readonly absent: Set<string>
}

/** Cuts the power at every call of the scenario in turn. @returns the number of cuts */
export async function cutPowerEverywhere(survival: Survival, seeds: number): Promise<number> {
  let cuts = 0
  await forEveryFault(failsFromCall, async (fault, nth) => {
    for (let seed = 0; seed < seeds; seed++, cuts++) {
      const memory = new MemoryDisk()
      const acknowledged = await live(failingDisk(memory, fault).disk)
      await checkKept(memory.afterPowerCut(survival, seededRandom(nth * seeds + seed)), acknowledged)
    }
  })
  return cuts
}

/** Makes every call of the scenario fail in turn while the process survives. @returns the number of faults */
export function failEverywhere(code: string): Promise<number> {
  return forEveryFault(
    (nth) => failsOnCall(nth, code),
    async (fault) => {
      const memory = new MemoryDisk()
      const acknowledged = await live(failingDisk(memory, fault).disk)
      await checkKept(memory.afterPowerCut('none', seededRandom(1)), acknowledged, true)
    },
  )
}

export function openOn(disk: Disk, reserveBytes = 0): Promise<ObjectStore> {
  return openLocalStore({ root: '/store', clock: fakeClock(), random: seededRandom(42), disk, reserveBytes })
}

/** A day in the life of a store; every step may fail, and only what succeeded is recorded. */
async function live(disk: Disk): Promise<Acknowledged> {
  const acknowledged: Acknowledged = { uploads: [], present: new Map(), absent: new Set() }
  const { present, absent } = acknowledged
  const attempt = async (step: () => Promise<void>): Promise<void> => {
    await step().catch((error: unknown) => {
      if (!(error instanceof Error) || error.name === 'AssertionError') throw error
    })
  }
  await attempt(async () => {
    const store = await openOn(disk)
    await attempt(() => store.ensureFolder('in'))
    for (const key of ['in/replaced', 'in/before', 'in/removed'])
      await attempt(() => uploadWhole(store, { key, content: OLD }, acknowledged))
    await attempt(() => uploadWhole(store, { key: 'in/new', content: CONTENT }, acknowledged))
    await attempt(() => uploadWhole(store, { key: 'in/replaced', content: CONTENT, replace: true }, acknowledged))
    await attempt(async () => {
      for (const result of await store.writeFiles(SMALL, { conflict: 'fail' })) {
        const file = SMALL.find(({ key }) => key === result.key)
        if ('entry' in result && file !== undefined) present.set(file.key, file.content)
      }
    })
    await attempt(async () => {
      if (!present.has('in/before')) return
      await store.copy('in/before', 'in/copied', { conflict: 'fail' })
      present.set('in/copied', OLD)
    })
    await attempt(async () => {
      const moving = present.get('in/before')
      if (moving === undefined) return
      present.delete('in/before')
      await store.move('in/before', 'in/moved', { conflict: 'fail' })
      present.set('in/moved', moving)
      absent.add('in/before')
    })
    await attempt(async () => {
      present.delete('in/removed')
      await store.remove('in/removed')
      absent.add('in/removed')
    })
  })
  return acknowledged
}

interface Wanted {
  readonly key: string
  readonly content: Uint8Array
  readonly replace?: boolean
}

async function uploadWhole(store: ObjectStore, wanted: Wanted, acknowledged: Acknowledged): Promise<void> {
  const { key, content } = wanted
  const upload = await store.createUpload({ key, size: content.length })
  const noted = { upload, parts: new Set<number>(), completed: false }
  acknowledged.uploads.push(noted)
  const count = Math.ceil(content.length / PART)
  await Promise.allSettled(
    Array.from({ length: count }, async (_, index) => {
      const part = content.subarray(index * PART, (index + 1) * PART)
      await store.writePart(upload, { index, offset: index * PART, length: part.length }, inChunks(part, 3000))
      noted.parts.add(index)
    }),
  )
  if (noted.parts.size < count) return
  // From here on the old content may be gone, and the new one is not acknowledged yet.
  if (wanted.replace === true) acknowledged.present.delete(key)
  await store.completeUpload(upload, { size: content.length, conflict: wanted.replace === true ? 'replace' : 'fail' })
  noted.completed = true
  acknowledged.present.set(key, content)
}

/** What must hold on the disk afterwards. */
async function checkKept(disk: MemoryDisk, acknowledged: Acknowledged, mayBeGone = false): Promise<void> {
  const store = await openOn(disk)
  const visible = await visibleFiles(store)
  const found = named(visible)
  expect(found.filter(([key, content]) => WHOLE[key]?.includes(content) !== true)).toEqual([])
  expect(Object.fromEntries(found)).toMatchObject(Object.fromEntries(named(acknowledged.present)))
  expect([...acknowledged.absent].filter((key) => visible.has(key))).toEqual([])
  for (const { upload, parts, completed } of acknowledged.uploads) {
    if (!completed) await checkResumable(store, upload, { parts, mayBeGone })
  }
}

async function visibleFiles(store: ObjectStore): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  if ((await store.stat('in')) === undefined) return files
  for await (const page of store.list('in')) {
    for (const name of page.names) {
      await using reader = await store.openRead(`in/${name}`)
      files.set(`in/${name}`, await readAll(reader))
    }
  }
  return files
}

/** Sends the parts that were not acknowledged, completes, and compares. */
async function checkResumable(
  store: ObjectStore,
  upload: Upload,
  { parts, mayBeGone }: { readonly parts: ReadonlySet<number>; readonly mayBeGone: boolean },
): Promise<void> {
  const size = upload.size ?? 0
  const content = size === CONTENT.length ? CONTENT : OLD
  const request = { size, conflict: 'replace' } as const
  // Completed just before the end without an answer, or failed for good: both say so, neither pretends.
  const first = await reasonOf(resend(store, upload, { content, parts }))
  if (first === 'upload-gone') {
    const again = await reasonOf(store.completeUpload(upload, request))
    expect(['upload-gone', undefined]).toContain(again)
    return
  }
  expect(first).toBeUndefined()
  await store.ensureFolder('in')
  const completed = await reasonOf(store.completeUpload(upload, request))
  // A process that lives on may have removed what it had completed, or given up what it could not flush.
  if (mayBeGone && completed === 'upload-gone') return
  expect(completed).toBeUndefined()
  await using reader = await store.openRead(upload.key)
  expect(await readAll(reader)).toEqual(content)
}

async function resend(
  store: ObjectStore,
  upload: Upload,
  { content, parts }: { readonly content: Uint8Array; readonly parts: ReadonlySet<number> },
): Promise<void> {
  for (let index = 0; index * PART < content.length; index++) {
    if (parts.has(index)) continue
    const part = content.subarray(index * PART, (index + 1) * PART)
    await store.writePart(upload, { index, offset: index * PART, length: part.length }, inChunks(part))
  }
}

/** Why a store refused; undefined when it did not. */
export async function reasonOf(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof StorageError) return error.reason
      throw error
    },
  )
}
