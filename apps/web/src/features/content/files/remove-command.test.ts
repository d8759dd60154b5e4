import { fakeClock } from '@godwit/base'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { createMessages } from '../../../lib/messages.ts'
import type { CommandDeps } from './file-commands.ts'
import { RECYCLE_KEYS, removeRows } from './remove-command.ts'

const view = { folder: '/plans', orderBy: 'name', order: 'asc' } as const

it('reads the bin again once the removal is over: it may have been opened before the rows were in it', async () => {
  const client = new QueryClient()
  const bin: string[] = []
  const observer = new QueryObserver(client, { queryKey: [...RECYCLE_KEYS, 'items'], queryFn: () => [...bin] })
  const stop = observer.subscribe(() => undefined)
  await expect.poll(() => observer.getCurrentResult().data).toEqual([])

  const job = Promise.withResolvers<unknown>()
  const deps = {
    client,
    place: { spaceId: 1, groupId: 0 },
    messages: createMessages(fakeClock()),
    texts: Object.assign((key: string) => key, { failure: String, reference: () => undefined }),
    operate: () => Promise.resolve({ job: {}, recycleIds: ['a'] }),
    follow: () => job.promise,
  } as unknown as CommandDeps
  const removal = removeRows(deps, view, ['draft.txt'], () => undefined)
  bin.push('draft.txt')
  job.resolve({ state: 'completed', failures: [] })
  await removal
  await expect.poll(() => observer.getCurrentResult().data).toEqual(['draft.txt'])
  stop()
})
