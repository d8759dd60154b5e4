import { once } from 'node:events'
import type { Ctx } from '../../kernel/context.ts'
import type { RawExchange } from '../../kernel/endpoint.ts'

export interface Download<Row> {
  readonly name: string
  readonly type: string
  /** Stands before the first row. */
  readonly head: string
  readonly batches: AsyncIterable<readonly Row[]>
  readonly line: (row: Row) => string
}

/** Sends rows as a file, as fast as its reader takes them; only one batch is held at a time. */
export async function sendBatches<Row>(
  ctx: Pick<Ctx, 'requestId' | 'signal'>,
  res: RawExchange['res'],
  { name, type, head, batches, line }: Download<Row>,
): Promise<void> {
  res.writeHead(200, {
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': ctx.requestId,
  })
  if (head !== '') res.write(head)
  for await (const rows of batches) {
    if (!res.write(rows.map(line).join(''))) await once(res, 'drain', { signal: ctx.signal })
  }
  res.end()
}
