import type { AdminRecycleItem } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import type { ListSource } from '../../console-kit/list-source.ts'

/** First part of the keys of the queries about the bin of everybody. */
export const RECYCLE_ALL = 'recycle-all'

const TYPES = ['File', 'Folder'] as const

export const recycleSource: ListSource<AdminRecycleItem> = {
  key: RECYCLE_ALL,
  load: (api, { page, pageSize, filters }, signal) => {
    const { text } = filters
    const type = TYPES.find((each) => each === filters['type'])
    const query = {
      ...{ page, size: pageSize },
      ...(text === undefined ? {} : { text }),
      ...(type === undefined ? {} : { type }),
    }
    return api.call(routes.adminRecycle.list, { query }, signal === undefined ? {} : { signal })
  },
}
