import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '@godwit/base'
import { launch, type Program } from '@godwit/testkit'
import { sql } from 'kysely'
import { openWorld } from '../../../testing/worlds.ts'
import { fileEvent } from '../../../testing/file-events.ts'
import { recordEvent } from '../index.ts'

export interface Campaign {
  readonly events: number
  readonly kills: number
}

export interface Outcome {
  /** What was handled, in order. */
  readonly paths: readonly string[]
  /** How many events each node handled. */
  readonly shares: Readonly<Record<string, number>>
}

const BATCH = 25

/** Two processes deliver events of a third; whichever delivers is killed in the middle of it, and the other one takes over. */
export async function deliverAmongKills(url: string, { events, kills }: Campaign): Promise<Outcome> {
  await using world = await openWorld(url)
  const { db } = world.database
  await sql`create table handled (number bigint auto_increment primary key, path varchar(100), node varchar(20))`.execute(
    db,
  )
  const start = (name: string): Promise<Program> =>
    launch([process.execPath, join(import.meta.dirname, 'delivery-node.ts'), url, name], {
      isReady: (output) => output.includes('delivering'),
    })
  const handled = async () =>
    Number((await sql<{ count: number }>`select count(*) as count from handled`.execute(db)).rows[0]?.count)
  const latest = async () =>
    (await sql<{ node: string }>`select node from handled order by number desc limit 1`.execute(db)).rows[0]?.node
  const names = ['first', 'second'] as const
  // A node that was killed starts again while the other one delivers.
  const nodes = names.map(start)
  await Promise.all(nodes)
  const writing = write()

  async function write(): Promise<void> {
    for (let at = 0; at < events; at += BATCH) {
      await db.transaction().execute(async (tx) => {
        for (let n = at; n < Math.min(events, at + BATCH); n++) {
          await recordEvent({ tx, clock: systemClock }, 'file.committed', fileEvent(`/${n}`))
        }
      })
      // No faster than they are handled, so that every kill meets events.
      while ((await handled()) < at - 8 * BATCH) await pause(10)
    }
  }

  for (let kill = 0; kill < kills; kill++) {
    while ((await handled()) < ((kill + 1) * events) / (kills + 1)) await pause(10)
    const delivering = await latest()
    const at = names.findIndex((name) => name === delivering)
    await (await nodes[at])?.end('SIGKILL')
    while ((await latest()) === delivering && (await handled()) < events) await pause(10)
    nodes[at] = start(names[at] ?? '')
  }
  await writing
  while ((await handled()) < events) await pause(20)
  // Long enough for a second delivery, if there were one.
  await pause(300)
  await Promise.all(nodes.map(async (node) => (await node).end('SIGKILL')))
  const { rows } = await sql<{ path: string; node: string }>`select path, node from handled order by number`.execute(db)
  const shares: Record<string, number> = {}
  for (const { node } of rows) shares[node] = (shares[node] ?? 0) + 1
  return { paths: rows.map(({ path }) => path), shares }
}
