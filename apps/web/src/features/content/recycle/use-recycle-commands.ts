import type { JobView } from '@godwit/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTexts } from '../../../lib/texts.tsx'
import { isSettled, RECYCLE_KEYS, useFilesServices, useJobs } from '../files/index.ts'
import type { RecycledItem } from './recycle-query.ts'

type Items = readonly RecycledItem[]

/** Restores and deletes for good; each follows its job to the end and says what it could not do. */
export function useRecycleCommands() {
  const { operate, place, messages } = useFilesServices()
  const client = useQueryClient()
  const texts = useTexts()
  const { jobs, follow } = useJobs()
  const run = async (start: () => Promise<{ readonly job: JobView }>, done: string): Promise<void> => {
    try {
      const { job } = await start()
      if (isSettled({ messages, texts }, await follow(job))) messages.notify('success', done)
    } catch (error) {
      messages.fail(error, texts)
    }
    await client.invalidateQueries({ queryKey: RECYCLE_KEYS })
  }
  const purge = (recycleIds: 'all' | string[], done: string): Promise<void> =>
    run(() => operate('purge', { ...place, recycleIds }), done)
  return {
    jobs,
    /** @param target folder that takes them; absent: where each was */
    restore: (items: Items, target?: string) =>
      run(
        () => operate('restore', { ...place, recycleIds: idsOf(items), target: target ?? null }),
        texts('remove.restored', { count: items.length, name: items[0]?.name ?? '' }),
      ),
    purge: (items: Items) => purge(idsOf(items), texts('recycle.purged', { count: items.length })),
    empty: () => purge('all', texts('recycle.emptied')),
  }
}

function idsOf(items: Items): string[] {
  return items.map(({ recycleId }) => recycleId)
}
