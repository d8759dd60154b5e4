import { LIMITS, type UploadState } from '@godwit/contract'
import type { TreeNode } from '@godwit/base'
import type { Db, Tx } from '../../kernel/db/index.ts'
import type { UploadRow } from './intake.schema.ts'

/** Durable bytes [start, end) of an upload, with the tree nodes that lie wholly inside. */
export interface DurableSpan {
  readonly uploadId: string
  readonly start: number
  readonly end: number
  readonly nodes: readonly TreeNode[]
}

/** What makes two uploads the same file of the same person. */
export interface SameFile {
  readonly userId: string
  /** Of a guest; '' for an account. */
  readonly linkId: string
  readonly visitId: string
  readonly spaceId: number
  readonly groupId: number
  readonly path: string
  readonly size: number
  readonly lastModified: number
}

/** A place that files come into. */
export interface ReceivingPlace {
  /** The account; '' for the library of a group. */
  readonly ownerId: string
  readonly spaceId: number
  readonly groupId: number
}

/** Carriers whose uploads no person goes on with: pieces of another one, and what a job writes. */
const NOBODYS = ['tus-partial', 'archive']

/** The only SQL over `uploads` and `upload_spans`. */
export const uploadsStore = {
  async insert(db: Db | Tx, row: UploadRow): Promise<void> {
    await db.insertInto('uploads').values(row).execute()
  },

  byId(db: Db | Tx, id: string): Promise<UploadRow | undefined> {
    return db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst()
  },

  /** Whether something is on its way into a place: an upload that may go on, or small files that are not booked yet. */
  async isUnderWay(db: Db | Tx, { ownerId, spaceId, groupId }: ReceivingPlace): Promise<boolean> {
    const there = db.selectFrom('uploads').select('id').where('space_id', '=', spaceId).where('group_id', '=', groupId)
    const open = there.where('state', 'in', ['open', 'processing'])
    const batches = db.selectFrom('intake_batches').select('id').where('space_id', '=', spaceId)
    const sent = batches.where('group_id', '=', groupId)
    const isOwn = groupId === LIMITS.defaultGroupId
    const [upload, batch] = await Promise.all([
      (isOwn ? open.where('user_id', '=', ownerId) : open).executeTakeFirst(),
      (isOwn ? sent.where('user_id', '=', ownerId) : sent).executeTakeFirst(),
    ])
    return upload !== undefined || batch !== undefined
  },

  /** Failed uploads into a place have nothing on its storage any more: the place is on another one. */
  async detachFailed(tx: Tx, { ownerId, spaceId, groupId }: ReceivingPlace): Promise<void> {
    const there = tx.updateTable('uploads').set({ store_upload: '' }).where('space_id', '=', spaceId)
    const failed = there.where('group_id', '=', groupId).where('state', '=', 'failed')
    await (groupId === LIMITS.defaultGroupId ? failed.where('user_id', '=', ownerId) : failed).execute()
  },

  /** The newest unfinished upload of the same file. Partial uploads of a concatenation are nobody's file. */
  unfinishedOf(db: Db | Tx, same: SameFile): Promise<UploadRow | undefined> {
    return db
      .selectFrom('uploads')
      .selectAll()
      .where('user_id', '=', same.userId)
      .where('link_id', '=', same.linkId)
      .where('visit_id', '=', same.visitId)
      .where('state', '=', 'open')
      .where('carrier', 'not in', NOBODYS)
      .where('space_id', '=', same.spaceId)
      .where('group_id', '=', same.groupId)
      .where('path', '=', same.path)
      .where('size', '=', same.size)
      .where('last_modified', '=', same.lastModified)
      .orderBy('created_at', 'desc')
      .executeTakeFirst()
  },

  /** Uploads of one transfer, unfinished ones and those whose answers are kept. */
  ofTransfer(db: Db | Tx, userId: string, task: string): Promise<UploadRow[]> {
    return db
      .selectFrom('uploads')
      .selectAll()
      .where('user_id', '=', userId)
      .where('carrier', '=', 'transfer')
      .where('state', 'in', ['open', 'completed'])
      .where('metadata', '=', task)
      .orderBy('created_at')
      .execute()
  },

  /** Uploads of a job that packs or unpacks. */
  ofArchive(db: Db | Tx, userId: string, task: string): Promise<UploadRow[]> {
    return db
      .selectFrom('uploads')
      .selectAll()
      .where('user_id', '=', userId)
      .where('carrier', '=', 'archive')
      .where('metadata', '=', task)
      .execute()
  },

  /** A transfer is over: its uploads are found by it no more. */
  async forgetTransfer(db: Db | Tx, ids: readonly string[]): Promise<void> {
    for (const id of ids) await db.updateTable('uploads').set({ metadata: '' }).where('id', '=', id).execute()
  },

  /** All that is not finished, whoever brings it: also guests of the account's links, jobs and transfers. */
  async unfinishedIdsOf(db: Db | Tx, userId: string): Promise<string[]> {
    const rows = await db
      .selectFrom('uploads')
      .select('id')
      .where('user_id', '=', userId)
      .where('state', 'in', ['open', 'processing'])
      .execute()
    return rows.map(({ id }) => id)
  },

  /** Unfinished ones that count in a transfer. */
  async openInTransfer(db: Db | Tx, userId: string, transferId: string): Promise<string[]> {
    const rows = await db
      .selectFrom('uploads')
      .select('id')
      .where('user_id', '=', userId)
      .where('state', '=', 'open')
      .where('transfer_id', '=', transferId)
      .execute()
    return rows.map(({ id }) => id)
  },

  openOf(db: Db | Tx, userId: string): Promise<UploadRow[]> {
    return db
      .selectFrom('uploads')
      .selectAll()
      .where('user_id', '=', userId)
      .where('link_id', '=', '')
      .where('state', '=', 'open')
      .where('carrier', 'not in', NOBODYS)
      .orderBy('created_at', 'desc')
      .limit(10_000)
      .execute()
  },

  /** Those that a visit of a guest began. */
  openOfVisit(db: Db | Tx, visitId: string): Promise<UploadRow[]> {
    return db
      .selectFrom('uploads')
      .selectAll()
      .where('visit_id', '=', visitId)
      .where('state', '=', 'open')
      .orderBy('created_at', 'desc')
      .limit(10_000)
      .execute()
  },

  inState(db: Db | Tx, state: UploadState): Promise<UploadRow[]> {
    return db.selectFrom('uploads').selectAll().where('state', '=', state).execute()
  },

  /** The storage's ids of all uploads that still have bytes there. */
  async ownedStoreIds(db: Db | Tx): Promise<string[]> {
    const rows = await db
      .selectFrom('uploads')
      .select('store_upload')
      .where('state', 'in', ['open', 'processing', 'failed'])
      .where('store_upload', '!=', '')
      .execute()
    return rows.map((row) => (JSON.parse(row.store_upload) as { readonly id: string }).id)
  },

  expired(db: Db | Tx, now: number, limit: number): Promise<UploadRow[]> {
    return db
      .selectFrom('uploads')
      .selectAll()
      .where('expires_at', '<', now)
      .orderBy('expires_at')
      .limit(limit)
      .execute()
  },

  /** Lets open uploads run out by then that would run out later. */
  async shorten(
    db: Db,
    { until, except }: { readonly until: number; readonly except: readonly string[] },
  ): Promise<void> {
    await db
      .updateTable('uploads')
      .set({ expires_at: until })
      .where('state', '=', 'open')
      .where('expires_at', '>', until)
      .where('carrier', 'not in', except)
      .execute()
  },

  /** Changes the row only while it is as the caller knows it. @returns whether it was */
  async change(
    db: Db | Tx,
    id: string,
    known: { readonly states: readonly UploadState[]; readonly reservedBytes?: number },
    change: Partial<Omit<UploadRow, 'id' | 'fence'>>,
  ): Promise<boolean> {
    const row = db.updateTable('uploads').set(change).where('id', '=', id).where('state', 'in', known.states)
    const { reservedBytes } = known
    const exact = reservedBytes === undefined ? row : row.where('reserved_bytes', '=', reservedBytes)
    return (await exact.executeTakeFirst()).numUpdatedRows > 0n
  },

  async remove(db: Db | Tx, id: string): Promise<void> {
    await db.deleteFrom('upload_spans').where('upload_id', '=', id).execute()
    await db.deleteFrom('uploads').where('id', '=', id).execute()
  },

  async revokeGrantsOf(db: Db | Tx, userId: string): Promise<void> {
    // A guest's ends with the link.
    const own = db.updateTable('uploads').set({ grant_hash: null }).where('user_id', '=', userId)
    await own.where('link_id', '=', '').execute()
  },

  /** Records a durable span in place of those it covers. */
  async putSpan(db: Db | Tx, { uploadId, start, end, nodes }: DurableSpan): Promise<void> {
    await db
      .deleteFrom('upload_spans')
      .where('upload_id', '=', uploadId)
      .where('start_at', '>=', start)
      .where('end_at', '<=', end)
      .execute()
    await db
      .insertInto('upload_spans')
      .values({ upload_id: uploadId, start_at: start, end_at: end, nodes: JSON.stringify(nodes) })
      .execute()
  },

  async spansOf(db: Db | Tx, uploadId: string): Promise<DurableSpan[]> {
    const rows = await db
      .selectFrom('upload_spans')
      .selectAll()
      .where('upload_id', '=', uploadId)
      .orderBy('start_at')
      .execute()
    return rows.map((row) => ({
      uploadId,
      start: Number(row.start_at),
      end: Number(row.end_at),
      nodes: JSON.parse(row.nodes) as TreeNode[],
    }))
  },

  /** Forgets every recorded span that touches [start, end). */
  async removeSpansIn(
    db: Db | Tx,
    uploadId: string,
    span: { readonly start: number; readonly end: number },
  ): Promise<void> {
    await db
      .deleteFrom('upload_spans')
      .where('upload_id', '=', uploadId)
      .where('start_at', '<', span.end)
      .where('end_at', '>', span.start)
      .execute()
  },

  async removeSpans(db: Db | Tx, uploadId: string): Promise<void> {
    await db.deleteFrom('upload_spans').where('upload_id', '=', uploadId).execute()
  },
}
