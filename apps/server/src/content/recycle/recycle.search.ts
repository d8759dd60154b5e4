import type { AdminRecycleItem } from '@godwit/contract'
import { sql } from 'kysely'
import type { Db } from '../../kernel/db/index.ts'
import { nameOf } from '../access/index.ts'

export interface RecycleFilter {
  /** Part of a path or an account, folded; '' fits all. */
  readonly text: string
  readonly type?: AdminRecycleItem['file_type'] | undefined
  /** What the caller's scope leaves; undefined: everything. */
  readonly onlyUserId: string | undefined
  /** Unix milliseconds. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

export interface FoundItem extends AdminRecycleItem {
  readonly spaceId: number
  readonly groupId: number
}

/** Everyone's deleted items, as an administrator lists them; without what is being deleted for good. */
export const recycleSearch = {
  async page(db: Db, filter: RecycleFilter, { page, size }: { readonly page: number; readonly size: number }) {
    const rows = await named(fitting(db, filter))
      .orderBy('recycle_items.id', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute()
    const count = await fitting(db, filter)
      .select((select) => select.fn.countAll<number>().as('n'))
      .executeTakeFirst()
    return { rows: rows.map(present), total: Number(count?.n ?? 0) }
  },

  async byIds(db: Db, ids: readonly string[], onlyUserId: string | undefined): Promise<FoundItem[]> {
    const rows = await named(fitting(db, { text: '', onlyUserId }))
      .where('recycle_items.id', 'in', ids)
      .execute()
    return rows.map(present)
  },
}

function named(found: ReturnType<typeof fitting>) {
  return found
    .selectAll('recycle_items')
    .select(['users.account', 'spaces.name as space_name', 'user_groups.name as group_name'])
}

type FoundRow = Awaited<ReturnType<ReturnType<typeof named>['execute']>>[number]

function present(row: FoundRow): FoundItem {
  return {
    recycleId: row.id,
    name: nameOf(row),
    path: row.path,
    file_type: row.is_folder === 1 ? 'Folder' : 'File',
    size: row.size,
    deletedAt: Math.floor(row.deleted_at / 1000),
    userId: row.owner_id,
    account: row.account ?? '',
    spaceName: row.space_name ?? '',
    groupName: row.group_name ?? '',
    spaceId: row.space_id,
    groupId: row.group_id,
  }
}

function fitting(db: Db, { text, type, onlyUserId, from, to }: RecycleFilter) {
  const like = `%${text.replaceAll(/[%_\\]/g, '')}%`
  return db
    .selectFrom('recycle_items')
    .leftJoin('users', 'users.id', 'recycle_items.owner_id')
    .leftJoin('spaces', 'spaces.id', 'recycle_items.space_id')
    .leftJoin('user_groups', 'user_groups.id', 'recycle_items.group_id')
    .where('recycle_items.purging', '=', 0)
    .$if(onlyUserId !== undefined, (query) => query.where('recycle_items.owner_id', '=', onlyUserId ?? ''))
    .$if(type !== undefined, (query) => query.where('recycle_items.is_folder', '=', type === 'Folder' ? 1 : 0))
    .$if(from !== undefined, (query) => query.where('recycle_items.deleted_at', '>=', from ?? 0))
    .$if(to !== undefined, (query) => query.where('recycle_items.deleted_at', '<=', to ?? 0))
    .$if(text !== '', (query) =>
      query.where((any) =>
        any.or([any('users.account_key', 'like', like), any(sql<string>`lower(recycle_items.path)`, 'like', like)]),
      ),
    )
}
