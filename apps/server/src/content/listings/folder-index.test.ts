import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareNames } from '@godwit/base'
import { orderBy, type OrderBy } from '@godwit/contract'
import { KIND_FILE, KIND_FOLDER, type ListPage } from '@godwit/storage'
import { AppError } from '../../kernel/errors.ts'
import { unreachable } from '../access/index.ts'
import { decodeCursor, encodeCursor } from './cursors.ts'
import { FirstEntries } from './huge/first-entries.ts'
import type { FolderIndex } from './folder-index.ts'
import { FolderNames } from './huge/folder-names.ts'
import { hugeIndex } from './huge/huge.ts'
import { smallIndex } from './small.ts'
import { withChanges } from './merge-changes.ts'

interface Item {
  readonly name: string
  readonly isFolder: boolean
  readonly size: number
}

const item = fc.record({
  name: fc
    .string({
      unit: fc.constantFrom('a', 'B', 'b', '1', '2', '0', '文', 'é', '.', '-'),
      minLength: 1,
      maxLength: 6,
    })
    .filter((name) => unreachable(name) === undefined),
  isFolder: fc.boolean(),
  size: fc.nat(3),
})
/** Entries the storage lists at once: fewer than a folder has. */
const PAGE = 7
const noBreak = (): Promise<void> => Promise.resolve()
const folder = fc.uniqueArray(item, { selector: ({ name }) => name, maxLength: 60 })

/** What a storage lists of a folder, in pages: plain names as bytes, where it has them so. */
async function* pagesOf(items: readonly Item[], areBytes: boolean): AsyncGenerator<ListPage> {
  for (let at = 0; at < items.length; at += PAGE) {
    const part = items.slice(at, at + PAGE)
    const plain = areBytes ? part.filter(({ name }) => /^(?!\.)[ -~]+$/.test(name)) : []
    if (plain.length > 0) {
      const utf8 = plain.map(({ name }) => Buffer.from(name))
      let end = 0
      const names = { bytes: Buffer.concat(utf8), ends: Uint32Array.from(utf8, ({ length }) => (end += length)) }
      yield { names: [], plain: names, kinds: kindsOf(plain), leftOut: 0 }
    }
    const others = part.filter((one) => !plain.includes(one))
    if (others.length > 0) yield { names: others.map(({ name }) => name), kinds: kindsOf(others), leftOut: 0 }
  }
}

function kindsOf(items: readonly Item[]): Uint8Array {
  return Uint8Array.from(items, ({ isFolder }) => (isFolder ? KIND_FOLDER : KIND_FILE))
}

async function indexOf(items: readonly Item[], areBytes = false): Promise<FolderIndex> {
  const reading = { version: 'v', breathe: noBreak, onPreview: () => false }
  const index = await hugeIndex(pagesOf(items, areBytes), reading)
  const entries = Array.from({ length: index.count }, (_, entry) => entry)
  const sizes = entries.map((entry) => items.find(({ name }) => name === index.name(entry))?.size ?? 0)
  const numbers = Float64Array.from(sizes)
  index.learn(entries, { kinds: new Uint8Array(index.count), sizes: numbers, modifiedMs: numbers })
  return index
}

async function pageAfter(
  items: readonly Item[],
  {
    by,
    isDescending,
    cursor,
    limit,
  }: { by: OrderBy; isDescending: boolean; cursor: string | undefined; limit: number },
) {
  const index = await indexOf(items)
  const ordered = await index.order(by, noBreak)
  const from = cursor === undefined ? 0 : ordered.after(decodeCursor(cursor, { by, isDescending }), isDescending)
  const entries = Array.from({ length: Math.min(limit, index.count - from) }, (_, at) =>
    ordered.at(from + at, isDescending),
  )
  const last = entries.at(-1)
  const next = last === undefined ? undefined : encodeCursor({ by, isDescending, ...ordered.mark(last) })
  return { names: entries.map((entry) => index.name(entry)), next }
}

describe('the index of a folder', () => {
  it('puts folders first, each part in the one order', async () => {
    await fc.assert(
      fc.asyncProperty(folder, fc.boolean(), async (items, areBytes) => {
        const index = await indexOf(items, areBytes)
        const wanted = items
          .toSorted((a, b) => Number(b.isFolder) - Number(a.isFolder) || compareNames(a.name, b.name))
          .map(({ name }) => name)
        expect(Array.from({ length: index.count }, (_, entry) => index.name(entry))).toEqual(wanted)
        for (const { name, isFolder } of items) expect(index.name(index.indexOf({ name, isFolder }))).toBe(name)
      }),
    )
  })
  it('is the same whether it is made in one go or in slices', async () => {
    await fc.assert(
      fc.asyncProperty(folder, async (items) => {
        const small = smallIndex(await Array.fromAsync(pagesOf(items, false)), 'v')
        expect(small.isSameAs(await indexOf(items))).toBe(true)
      }),
    )
  })
  it('gives the same first page before it is sorted as after', async () => {
    await fc.assert(
      fc.asyncProperty(folder, fc.boolean(), fc.integer({ min: 1, max: 20 }), async (items, areBytes, limit) => {
        const first = new FirstEntries(limit)
        const { count } = await FolderNames.read(pagesOf(items, areBytes), first, noBreak)
        const ordered = await indexOf(items, areBytes)
        expect(count).toBe(ordered.count)
        expect(first.inOrder()).toEqual(
          Array.from({ length: Math.min(limit, count) }, (_, entry) => ({
            name: ordered.name(entry),
            isFolder: ordered.isFolder(entry),
          })),
        )
      }),
    )
  })
  it('never repeats or loses an entry that does not change, while others come and go between pages', async () => {
    const changing = fc.array(fc.record({ drop: fc.array(fc.nat(60), { maxLength: 5 }), add: folder }), {
      maxLength: 12,
    })
    const walk = fc.record({
      by: fc.constantFrom(...orderBy.options),
      isDescending: fc.boolean(),
      limit: fc.integer({ min: 1, max: 9 }),
    })
    await fc.assert(
      fc.asyncProperty(folder, changing, walk, async (start, changes, how) => {
        let items: readonly Item[] = start
        const touched = new Set<string>()
        const seen: string[] = []
        let cursor: string | undefined
        for (let turn = 0; ; turn++) {
          const page = await pageAfter(items, { ...how, cursor })
          if (page.names.length === 0) break
          seen.push(...page.names)
          cursor = page.next
          const change = changes[turn]
          if (!change) continue
          const dropped = new Set(change.drop.map((at) => items[at]?.name))
          const kept = items.filter(({ name }) => !dropped.has(name))
          const added = change.add.filter(({ name }) => !kept.some((other) => other.name === name))
          for (const name of [...dropped, ...added.map((other) => other.name)])
            if (name !== undefined) touched.add(name)
          items = [...kept, ...added]
        }
        const steady = start.map(({ name }) => name).filter((name) => !touched.has(name))
        expect(seen.filter((name) => !touched.has(name)).toSorted()).toEqual(steady.toSorted())
      }),
      { numRuns: 300 },
    )
  })
  it('is the same with changes merged in as when it is read again', async () => {
    const changes = fc.array(fc.record({ item, isGone: fc.boolean() }), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(folder, changes, async (before, changed) => {
        const after = new Map(before.map((entry) => [entry.name, entry]))
        for (const change of changed) {
          if (change.isGone) after.delete(change.item.name)
          else after.set(change.item.name, change.item)
        }
        const noted = new Map(
          changed.map((change) => {
            const kind = change.item.isFolder ? ('folder' as const) : ('file' as const)
            return [change.item.name, change.isGone ? ('gone' as const) : kind]
          }),
        )
        const index = await indexOf(before)
        const merged = withChanges(index, noted, 'v')
        expect(merged.isSameAs(await indexOf([...after.values()]))).toBe(true)
        for (let entry = 0; entry < merged.count; entry++) {
          const size = after.get(merged.name(entry))?.size
          if (!noted.has(merged.name(entry))) expect(merged.size(entry)).toBe(size)
          else if (index.count > 0) expect(merged.isKnown(entry)).toBe(false)
        }
      }),
      { numRuns: 500 },
    )
  })
  it('finds the names that differ only in case or in the form of their accents', async () => {
    const index = await indexOf(
      ['Report', 'report.pdf', 'RÉSUMÉ', 'other'].map((name) => ({ name, isFolder: name === 'Report', size: 0 })),
    )
    expect(index.twinsOf('report')).toEqual(['Report'])
    expect(index.twinsOf('re\u0301sume\u0301')).toEqual(['RÉSUMÉ'])
    expect(index.twinsOf('other')).toEqual([])
  })
})

describe('a cursor', () => {
  it.each(['', 'x', 'e30', Buffer.from('{"v":2}').toString('base64url')])('%j is refused', (text) => {
    expect(() => decodeCursor(text, { by: 'name', isDescending: false })).toThrow(new AppError('CURSOR_INVALID'))
  })
  it('holds for the order it was made for', () => {
    const cursor = encodeCursor({ by: 'size', isDescending: true, name: 'a', isFolder: false, value: 1 })
    expect(decodeCursor(cursor, { by: 'size', isDescending: true })).toEqual({ name: 'a', isFolder: false, value: 1 })
    expect(() => decodeCursor(cursor, { by: 'size', isDescending: false })).toThrow(new AppError('CURSOR_INVALID'))
  })
})
