import type { Db, DialectName, Tx } from '../db/index.ts'
import type { JobKind } from './jobs.ts'
import type { JobRow, JobState } from './queue.schema.ts'

export interface Claim {
  readonly leaseOwner: string
  readonly leaseUntil: number
  readonly now: number
  readonly kinds: readonly string[]
  /** Jobs that the caller is at, whatever their leases say. */
  readonly except: readonly string[]
}

/** The only SQL over `jobs`. */
export interface QueueStore {
  insert(db: Db | Tx, row: JobRow): Promise<void>
  byId(db: Db | Tx, id: string): Promise<JobRow | undefined>
  /** Takes the oldest job that waits, or whose holder let its lease run out. No two callers get the same one. */
  claim(db: Db, dialect: DialectName, claim: Claim): Promise<JobRow | undefined>
  /** Changes a job that `leaseOwner` holds. @returns false when the lease was lost */
  updateHeld(db: Db | Tx, held: Pick<JobRow, 'id' | 'lease_owner'>, change: Partial<JobRow>): Promise<boolean>
  /**
   * Shows how far a job is. Nobody waits for it, so it may arrive after what was written later: that stays.
   * @returns false when the lease was lost or something newer is there
   */
  noteProgress(db: Db, held: HeldRun, note: Pick<JobRow, 'progress' | 'updated_at'>): Promise<boolean>
  /** Changes a job that is in one of `states`. @returns false when it is not */
  updateIn(db: Db | Tx, id: string, states: readonly JobState[], change: Partial<JobRow>): Promise<boolean>
  /** Forgets finished jobs. @returns how many */
  purge(db: Db | Tx, finishedBefore: number): Promise<number>
}

/** One run of a job; `attempts` tells it from the runs before. */
type HeldRun = Pick<JobRow, 'id' | 'lease_owner' | 'attempts'>

const CLAIM_TRIES = 4

export const queueStore: QueueStore = {
  async insert(db, row) {
    await db.insertInto('jobs').values(row).execute()
  },
  byId: (db, id) => db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst(),
  claim: (db, dialect, claim) =>
    claim.kinds.length === 0
      ? Promise.resolve(undefined)
      : dialect === 'mysql'
        ? claimLocking(db, claim)
        : claimReturning(db, claim),
  async updateHeld(db, { id, lease_owner }, change) {
    const update = db.updateTable('jobs').set(change).where('id', '=', id).where('lease_owner', '=', lease_owner)
    return (await update.where('state', '=', 'running').executeTakeFirst()).numUpdatedRows > 0n
  },
  async noteProgress(db, { id, lease_owner, attempts }, note) {
    const update = db.updateTable('jobs').set(note).where('id', '=', id).where('lease_owner', '=', lease_owner)
    const newer = update.where('attempts', '=', attempts).where('updated_at', '<', note.updated_at)
    return (await newer.where('state', '=', 'running').executeTakeFirst()).numUpdatedRows > 0n
  },
  async updateIn(db, id, states, change) {
    const update = db.updateTable('jobs').set(change).where('id', '=', id).where('state', 'in', states)
    return (await update.executeTakeFirst()).numUpdatedRows > 0n
  },
  async purge(db, finishedBefore) {
    const purged = await db
      .deleteFrom('jobs')
      .where('state', 'in', ['completed', 'failed', 'cancelled'])
      .where('updated_at', '<', finishedBefore)
      .executeTakeFirst()
    return Number(purged.numDeletedRows)
  },
}

/** SQLite has one writer: a single UPDATE .. RETURNING is atomic. */
async function claimReturning(db: Db, claim: Claim): Promise<JobRow | undefined> {
  return db
    .updateTable('jobs')
    .set((set) => ({ ...held(claim), attempts: set('attempts', '+', 1) }))
    .where('id', 'in', due(db, claim))
    .returningAll()
    .executeTakeFirst()
}

/** MySQL: rows that another process is claiming are passed over instead of waited for. */
async function claimLocking(db: Db, claim: Claim): Promise<JobRow | undefined> {
  for (let attempt = 0; attempt < CLAIM_TRIES; attempt++) {
    const outcome = await db.transaction().execute(async (tx) => {
      const found = await due(tx, claim).forUpdate().skipLocked().executeTakeFirst()
      if (!found) return 'none'
      await tx
        .updateTable('jobs')
        .set((set) => ({ ...held(claim), attempts: set('attempts', '+', 1) }))
        .where('id', '=', found.id)
        .execute()
      return (await queueStore.byId(tx, found.id)) ?? 'gone'
    })
    if (outcome === 'none') return undefined
    if (outcome !== 'gone') return outcome
  }
  return undefined
}

function held({ leaseOwner, leaseUntil, now }: Claim) {
  return { state: 'running' as const, lease_owner: leaseOwner, lease_until: leaseUntil, updated_at: now }
}

function due(db: Db | Tx, { now, kinds, except }: Claim) {
  const all = db.selectFrom('jobs').select('id').where('kind', 'in', kinds)
  return (except.length === 0 ? all : all.where('id', 'not in', except))
    .where((where) =>
      where.or([
        where.and([where('state', '=', 'queued'), where('run_at', '<=', now)]),
        where.and([where('state', '=', 'running'), where('lease_until', '<', now)]),
      ]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
}

/** Whether a job is being run by somebody, waits for somebody to run it, or is over or gone. */
export async function jobStanding(db: Db | Tx, id: string, now: number): Promise<'running' | 'waiting' | 'over'> {
  const row = await queueStore.byId(db, id)
  if (row?.state === 'running') return row.lease_until < now ? 'waiting' : 'running'
  return row?.state === 'queued' ? 'waiting' : 'over'
}

/** Ids of the jobs of an account that wait or run. @param exceptKind left out */
export async function openJobsOf(db: Db, ownerId: string, exceptKind: string): Promise<string[]> {
  const rows = await db
    .selectFrom('jobs')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('kind', '!=', exceptKind)
    .where('state', 'in', ['queued', 'running'])
    .execute()
  return rows.map(({ id }) => id)
}

/** How many jobs of a kind wait or run. */
export async function countOpenJobs(db: Db, kind: JobKind): Promise<number> {
  const row = await db
    .selectFrom('jobs')
    .select((select) => select.fn.countAll<number>().as('n'))
    .where('kind', '=', kind)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst()
  return Number(row?.n ?? 0)
}
