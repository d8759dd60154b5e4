import { systemClock } from '@godwit/base'
import { sql } from 'kysely'
import { connectDatabase } from '../../db/index.ts'
import { createOutbox } from '../index.ts'

/**
 * A process that does nothing but deliver events, until it is killed: `delivery-node.ts DATABASE-URL NAME`. Each event becomes
 * a row in `handled`, whose number says in which order.
 */
const [, , url = '', name = ''] = process.argv
const { db } = connectDatabase(url)
const report = (fields: unknown, message: string): void =>
  void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`)
const outbox = createOutbox({
  db,
  clock: systemClock,
  log: { info: report, warn: report, error: report },
  leaseMs: 1_000,
})
outbox.on('file.committed', {
  subscriber: 'counter',
  handleWithin: async ({ path }, tx) => {
    await sql`insert into handled (path, node) values (${path}, ${name})`.execute(tx)
  },
})
await outbox.start()
process.stdout.write('delivering\n')
