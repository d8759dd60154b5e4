import { LEAF_BYTES, seededRandom } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { HASH_BYTES, treeHash } from '../hashes/tree-hash.ts'
import type { FileFailure, Source, SourceItem, SourceSpan, SpansRead } from '../sources/source.ts'

/** What the suite needs to look behind a source. */
export interface SourceFixture extends AsyncDisposable {
  /** Creates or replaces a file, and the folders above it. */
  put(path: string, bytes: Uint8Array, mtimeMs: number): Promise<void>
  remove(path: string): Promise<void>
  /** Whether files have the time that `put` gives them; otherwise the storage gives them its own. Default true. */
  readonly keepsTimes?: boolean
  /** A source of everything that was put; its paths may have a common folder in front. */
  source(): Promise<Source>
}

const { leaf: leafHash } = treeHash('blake3')
const TIME = 1_700_000_000_000

async function listed(source: Source): Promise<{ items: SourceItem[]; skipped: FileFailure[] }> {
  const items: SourceItem[] = []
  const skipped: FileFailure[] = []
  for await (const item of source.list((one) => skipped.push(one))) items.push(item)
  return { items, skipped }
}

function itemAt(items: readonly SourceItem[], path: string): SourceItem {
  const found = items.find(({ entry }) => entry.path.endsWith(path))
  if (found === undefined) throw new Error(`${path} is not listed`)
  return found
}

function spanOf({ ref, entry }: SourceItem, leaf: number): Omit<SourceSpan, 'blockOffset'> {
  const fileOffset = leaf * LEAF_BYTES
  const { size, mtimeMs } = entry
  return { ref, fileOffset, length: Math.min(LEAF_BYTES, size - fileOffset), size, mtimeMs }
}

/** Reads spans into one block, one after another. */
async function read(
  source: Source,
  ...parts: Array<Omit<SourceSpan, 'blockOffset'>>
): Promise<SpansRead & { readonly bytes: Uint8Array }> {
  let length = 0
  const spans = parts.map((part) => {
    const blockOffset = length
    length += part.length
    return { ...part, blockOffset }
  })
  const block = new Uint8Array(new SharedArrayBuffer(length))
  return { ...(await source.read({ block, hash: 'blake3', spans })), bytes: block }
}

/** The contract of `Source`: the same cases for every implementation. */
export function sourceSuite(name: string, create: () => Promise<SourceFixture>): void {
  const pattern = seededRandom(9).fill(new Uint8Array(LEAF_BYTES + 1))
  // One byte longer than a leaf, so that no two leaves are the same.
  const bytesOf = (length: number): Uint8Array => Buffer.alloc(length, pattern)

  describe(`${name} as the source of a transfer`, () => {
    it('lists files with size and time, each folder before its content', async () => {
      await using fixture = await create()
      await fixture.put('a/b/file', bytesOf(10), TIME)
      await fixture.put('top', bytesOf(20), TIME + 1000)
      const source = await fixture.source()
      const { items, skipped } = await listed(source)
      expect(skipped).toEqual([])
      const time = fixture.keepsTimes === false ? {} : { mtimeMs: TIME + 1000 }
      expect(itemAt(items, 'top').entry).toMatchObject({ kind: 'file', size: 20, ...time })
      const order = ['a', 'a/b', 'a/b/file'].map((path) => items.indexOf(itemAt(items, path)))
      expect(order).toEqual(order.toSorted((one, other) => one - other))
      expect(itemAt(items, 'a/b').entry).toMatchObject({ kind: 'directory', size: 0 })
      await source.close()
    })

    it('reads any leaf in any order, and several files into one block, with their hashes', async () => {
      await using fixture = await create()
      const [large, small] = [bytesOf(2 * LEAF_BYTES + 3), bytesOf(100)]
      await fixture.put('large', large, TIME)
      await fixture.put('small', small, TIME)
      const source = await fixture.source()
      const { items } = await listed(source)
      const last = await read(source, spanOf(itemAt(items, 'large'), 2))
      expect(Buffer.compare(last.bytes, large.subarray(2 * LEAF_BYTES))).toBe(0)
      const both = await read(source, spanOf(itemAt(items, 'small'), 0), spanOf(itemAt(items, 'large'), 0))
      expect(both.faults).toEqual([])
      const expected = Buffer.concat([small, large.subarray(0, LEAF_BYTES)])
      expect(Buffer.compare(both.bytes, expected)).toBe(0)
      expect(Buffer.compare(both.leaves.subarray(0, HASH_BYTES), leafHash(small))).toBe(0)
      expect(Buffer.compare(both.leaves.subarray(HASH_BYTES), leafHash(large.subarray(0, LEAF_BYTES)))).toBe(0)
      await source.close()
    })

    it('names a file that has changed or gone since it was listed, and gives it no hash', async () => {
      await using fixture = await create()
      for (const path of ['changed', 'gone', 'same']) await fixture.put(path, bytesOf(50), TIME)
      const source = await fixture.source()
      const { items } = await listed(source)
      await fixture.put('changed', bytesOf(51).subarray(1), TIME + 5000)
      await fixture.remove('gone')
      const spans = ['changed', 'gone', 'same'].map((path) => spanOf(itemAt(items, path), 0))
      const { faults, leaves } = await read(source, ...spans)
      expect(faults).toEqual([
        { span: 0, fault: 'SOURCE_CHANGED' },
        { span: 1, fault: 'SOURCE_UNREADABLE' },
      ])
      const isVoid = [0, 1, 2].map((index) =>
        leaves.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES).every((byte) => byte === 0),
      )
      expect(isVoid).toEqual([true, true, false])
      await source.close()
    })
  })
}
