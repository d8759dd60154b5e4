import { promisify } from 'node:util'
import { deflateRaw, inflateRaw, inflateRawSync } from 'node:zlib'
import type { Db, Tx } from '../../kernel/db/index.ts'
import type { DocumentRow } from './full-text.schema.ts'

type Connection = Db | Tx

const deflate = promisify(deflateRaw)
const inflate = promisify<Buffer, Buffer>(inflateRaw)

/** Unpacked sooner than another thread is asked to. */
const SMALL_BYTES = 16_384

/** A document together with its text. */
export interface StoredText {
  readonly n: number
  readonly slot: number
  readonly size: number
  readonly modifiedMs: number
  readonly text: string
}

export async function packText(text: string): Promise<string> {
  return (await deflate(text)).toString('base64')
}

async function unpackText(packed: string): Promise<string> {
  const bytes = Buffer.from(packed, 'base64')
  return (bytes.length <= SMALL_BYTES ? inflateRawSync(bytes) : await inflate(bytes)).toString()
}

/** SQL over `full_text_documents` and `full_text_texts`. */
export const documents = {
  numbered: (db: Connection, rootId: number, ns: readonly number[]): Promise<DocumentRow[]> =>
    ns.length === 0
      ? Promise.resolve([])
      : db.selectFrom('full_text_documents').selectAll().where('root_id', '=', rootId).where('n', 'in', ns).execute(),

  inSlots: (db: Connection, rootId: number, from: number, to: number): Promise<DocumentRow[]> =>
    db
      .selectFrom('full_text_documents')
      .selectAll()
      .where('root_id', '=', rootId)
      .where('slot', '>=', from)
      .where('slot', '<=', to)
      .execute(),

  /** The texts of those slots that are still in use. */
  async texts(db: Connection, rootId: number, slots: readonly number[]): Promise<StoredText[]> {
    if (slots.length === 0) return []
    const rows = await db
      .selectFrom('full_text_documents as document')
      .innerJoin('full_text_texts as text', (join) =>
        join.onRef('text.root_id', '=', 'document.root_id').onRef('text.slot', '=', 'document.slot'),
      )
      .select(['document.n', 'text.slot', 'document.size', 'document.modified_ms', 'text.packed'])
      .where('document.root_id', '=', rootId)
      .where('document.slot', 'in', slots)
      .execute()
    return Promise.all(
      rows.map(async ({ n, slot, size, modified_ms, packed }) => ({
        ...{ n: Number(n), slot: Number(slot), size: Number(size), modifiedMs: Number(modified_ms) },
        text: await unpackText(packed),
      })),
    )
  },

  async addText(
    tx: Tx,
    row: { readonly root_id: number; readonly slot: number; readonly packed: string },
  ): Promise<void> {
    await tx.insertInto('full_text_texts').values(row).execute()
  },

  async add(tx: Tx, row: DocumentRow): Promise<void> {
    await tx.insertInto('full_text_documents').values(row).execute()
  },

  /** Takes documents out. @returns the slots that they had */
  async remove(tx: Tx, rootId: number, ns: readonly number[]): Promise<number[]> {
    const rows = await documents.numbered(tx, rootId, ns)
    const slots = rows.flatMap(({ slot }) => (slot === null ? [] : [Number(slot)]))
    if (slots.length > 0) {
      await tx.deleteFrom('full_text_texts').where('root_id', '=', rootId).where('slot', 'in', slots).execute()
    }
    if (rows.length > 0) {
      const gone = rows.map(({ n }) => n)
      await tx.deleteFrom('full_text_documents').where('root_id', '=', rootId).where('n', 'in', gone).execute()
    }
    return slots
  },

  /** The same content, at another time or in another place. */
  async change(
    tx: Connection,
    { root_id, n }: Pick<DocumentRow, 'root_id' | 'n'>,
    change: Partial<Pick<DocumentRow, 'size' | 'modified_ms' | 'slot'>>,
  ): Promise<void> {
    await tx.updateTable('full_text_documents').set(change).where('root_id', '=', root_id).where('n', '=', n).execute()
  },

  async moveText(tx: Tx, rootId: number, from: number, to: number): Promise<void> {
    const row = tx.updateTable('full_text_texts').set({ slot: to })
    await row.where('root_id', '=', rootId).where('slot', '=', from).execute()
  },

  /** Those that were too large, and are not any more. */
  async nowSmallEnough(db: Connection, rootId: number, limitBytes: number): Promise<number[]> {
    const rows = await db
      .selectFrom('full_text_documents')
      .select('n')
      .where('root_id', '=', rootId)
      .where('reason', '=', 'too-large')
      .where('size', '<=', limitBytes)
      .execute()
    return rows.map(({ n }) => Number(n))
  },
}
