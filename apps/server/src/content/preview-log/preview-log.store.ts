import type { Selectable } from 'kysely'
import type { Db } from '../../kernel/db/index.ts'
import type { PreviewViewsTable } from './preview-log.schema.ts'

export type PreviewViewRow = Selectable<PreviewViewsTable>

export interface PreviewLogFilter {
  /** With folded case; '' finds everything. */
  readonly text: string
  readonly onlyUserId: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** The only SQL over `preview_views`. */
export const previewLogStore = {
  async insert(db: Db, row: PreviewViewRow): Promise<void> {
    await db.insertInto('preview_views').values(row).execute()
  },

  /** Those of somebody else, and those that are over, stay as they are. */
  async see(
    db: Db,
    view: Pick<PreviewViewRow, 'id' | 'user_id' | 'visit_id'>,
    change: Pick<PreviewViewRow, 'seen_at' | 'is_over'>,
  ): Promise<void> {
    await db
      .updateTable('preview_views')
      .set(change)
      .where('id', '=', view.id)
      .where('user_id', '=', view.user_id)
      .where('visit_id', '=', view.visit_id)
      .where('is_over', '=', 0)
      .execute()
  },

  /** The newest first. */
  async search(
    db: Db,
    { text, onlyUserId, from, to }: PreviewLogFilter,
    { page, size }: { page: number; size: number },
  ) {
    const found = db
      .selectFrom('preview_views')
      .$if(text !== '', (query) => query.where('search_text', 'like', `%${text.replaceAll(/[%_\\]/g, '')}%`))
      .$if(onlyUserId !== undefined, (query) => query.where('user_id', '=', onlyUserId ?? ''))
      .$if(from !== undefined, (query) => query.where('started_at', '>=', from ?? 0))
      .$if(to !== undefined, (query) => query.where('started_at', '<=', to ?? 0))
    const rows = await found
      .selectAll()
      .orderBy('id', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute()
    const row = await found.select((select) => select.fn.countAll<number>().as('n')).executeTakeFirst()
    return { rows, total: Number(row?.n ?? 0) }
  },

  async removeOlder(db: Db, at: number): Promise<void> {
    await db.deleteFrom('preview_views').where('started_at', '<', at).execute()
  },
}
