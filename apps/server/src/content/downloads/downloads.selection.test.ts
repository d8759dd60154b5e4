import { type Entry, StorageError, type StorageReason } from '@godwit/storage'
import { describe, expect, it } from 'vitest'
import type { Location } from '../access/index.ts'
import { walkSelection } from './downloads.selection.ts'

const FOLDER: Entry = { key: 'films', kind: 'folder', size: 0, modifiedMs: 7, etag: '' }

/** A folder that stands there when it is looked at, and is something else when it is read. */
function folderThatReads(list: () => AsyncIterable<unknown>): Location {
  const store = { capabilities: { detailedList: false }, stat: () => Promise.resolve(FOLDER), list }
  return { store, key: 'films', path: '/films', shows: () => true } as unknown as Location
}

async function walked(list: () => AsyncIterable<unknown>) {
  const leftOut: Array<readonly [string, number]> = []
  const how = {
    signal: AbortSignal.timeout(5_000),
    onLeftOut: (folder: string, count: number) => void leftOut.push([folder, count]),
  }
  const names: string[] = []
  for await (const { name } of walkSelection([{ location: folderThatReads(list), entry: FOLDER }], how))
    names.push(name)
  return { names, leftOut }
}

async function* fails(reason: StorageReason): AsyncGenerator<never> {
  yield* []
  throw new StorageError(reason, {})
}

describe('a folder that is packed', () => {
  it.each(['not-found', 'not-a-folder'] as const)('is empty, and told, when it is %s by its turn', async (reason) => {
    expect(await walked(() => fails(reason))).toEqual({ names: ['films/'], leftOut: [['films', 1]] })
  })

  it('fails with a code of its own when its storage does', async () => {
    await expect(walked(() => fails('unreachable'))).rejects.toMatchObject({ code: 'STORAGE_UNREACHABLE' })
  })
})
