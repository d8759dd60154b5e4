import { randomHex, type Random } from '@godwit/base'
import type { StorageProbeStep } from '@godwit/contract'
import type { ObjectStore } from '@godwit/storage'

/** Runs a piece of work that ends with the time there is, whatever hangs. */
export type Attempt = <T>(work: () => Promise<T>) => Promise<T>

/** What a probe found out: how long each step took. */
export type ProbeResult = ReadonlyArray<{ readonly step: StorageProbeStep; readonly ms: number }>

/** A step that failed; `cause` says why. */
export class ProbeFailed extends Error {
  override readonly name = 'ProbeFailed'
  readonly step: StorageProbeStep
  constructor(step: StorageProbeStep, cause: unknown) {
    super(`storage probe: ${step}`, { cause })
    this.step = step
  }
}

interface ProbeDeps {
  readonly random: Random
  readonly clock: { monotonic(): number }
  readonly attempt: Attempt
}

const CONTENT = new TextEncoder().encode('Godwit writes this to see whether the storage works.\n')

/**
 * Proves that a store can do what files need: list, write, read, upload in parts and delete. It leaves nothing behind.
 * @throws ProbeFailed
 */
export async function probeStore(store: ObjectStore, { random, clock, attempt }: ProbeDeps): Promise<ProbeResult> {
  const name = `godwit-probe-${randomHex(random, 8)}`
  const [whole, parted] = [name, `${name}-parts`]
  const results: Array<ProbeResult[number]> = []
  const take = async (step: StorageProbeStep, work: () => Promise<void>): Promise<void> => {
    const begun = clock.monotonic()
    try {
      await attempt(work)
    } catch (thrown) {
      throw new ProbeFailed(step, thrown)
    }
    results.push({ step, ms: Math.round(clock.monotonic() - begun) })
  }
  try {
    // First, because only the answer to a list says whether it is the key that is wrong.
    await take('list', () => listOnce(store))
    await take('write', () => writeWhole(store, whole))
    await take('read', () => readBack(store, whole))
    await take('multipart', () => writeInParts(store, parted))
    await take('delete', async () => {
      await store.remove(whole)
      await store.remove(parted)
    })
  } catch (thrown) {
    // What is left of it does no harm, and the failure itself is what matters.
    for (const key of [whole, parted]) await attempt(() => store.remove(key)).catch(() => undefined)
    throw thrown
  }
  return results
}

/** Proves that a store takes an upload in parts: begun, sent, completed and removed. @throws what the store throws */
export async function probeParts(store: ObjectStore, random: Random): Promise<void> {
  const key = `godwit-probe-${randomHex(random, 8)}-parts`
  await writeInParts(store, key)
  await store.remove(key)
}

async function listOnce(store: ObjectStore): Promise<void> {
  for await (const _page of store.list('')) break
}

async function writeWhole(store: ObjectStore, key: string): Promise<void> {
  const [result] = await store.writeFiles([{ key, content: CONTENT }], { conflict: 'replace' })
  if (result !== undefined && 'error' in result) throw result.error
}

async function readBack(store: ObjectStore, key: string): Promise<void> {
  await using reader = await store.openRead(key)
  const chunks: Buffer[] = []
  // A chunk is borrowed, so it is copied.
  for await (const chunk of reader.stream()) chunks.push(Buffer.from(chunk))
  if (!Buffer.concat(chunks).equals(CONTENT)) throw new Error('the storage returned other bytes than were written')
}

async function writeInParts(store: ObjectStore, key: string): Promise<void> {
  const size = CONTENT.length
  const upload = await store.createUpload({ key, size })
  try {
    await store.writePart(upload, { index: 0, offset: 0, length: size }, oneChunk(Uint8Array.from(CONTENT)))
    await store.completeUpload(upload, { size, conflict: 'fail' })
  } catch (thrown) {
    await store.abortUpload(upload).catch(() => undefined)
    throw thrown
  }
}

async function* oneChunk(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(chunk)
}
