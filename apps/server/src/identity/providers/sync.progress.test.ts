import { afterEach, expect, it, vi } from 'vitest'
import type { Db } from '../../kernel/db/index.ts'
import { peopleOf } from './sync.service.ts'
import { syncsStore } from './syncs.store.ts'

afterEach(() => vi.restoreAllMocks())

it('a directory is read to its end although its progress could not be written once', async () => {
  const busy = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
  const change = vi.spyOn(syncsStore, 'change').mockRejectedValueOnce(busy).mockResolvedValue()
  const escaped: unknown[] = []
  const note = (reason: unknown): void => void escaped.push(reason)
  process.on('unhandledRejection', note)
  const people = async (_signal: AbortSignal, onRead: (count: number) => void) => {
    onRead(500)
    // Rejections that nobody handles are reported before the next turn of the loop.
    for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate)
    return []
  }
  const provider = { people } as unknown as Parameters<typeof peopleOf>[1]['provider']
  expect(await peopleOf({ db: {} as Db }, { row: { id: 's' }, provider }, new AbortController().signal)).toEqual([])
  process.off('unhandledRejection', note)
  expect(escaped).toEqual([])
  expect(change).toHaveBeenLastCalledWith({}, 's', { read_entries: 0 })
})
