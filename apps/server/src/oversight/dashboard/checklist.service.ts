import type { Clock } from '@godwit/base'
import type { Checklist, CHECKLIST_STEPS } from '@godwit/contract'
import type { Mailer } from '../../foundation/mail/index.ts'
import { listStorages } from '../../foundation/storages/index.ts'
import { hasSecondFactor } from '../../identity/second-factor/index.ts'
import { usersSearch } from '../../identity/users/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { ChecklistDismissalsTable } from './checklist.schema.ts'
import type { BackupSummary } from '../backups/index.ts'

export interface ChecklistDeps {
  readonly db: Db
  readonly clock: Clock
  readonly mailer: Mailer
  /** The data folder. */
  readonly data: string
  /** Address of the site, as the configuration has it; '' when it has none. */
  readonly publicUrl: string
  readonly backups: () => Promise<BackupSummary>
}

/** A backup older than this protects nobody any more. */
const FRESH_MS = 8 * 24 * 3_600_000

type Step = (typeof CHECKLIST_STEPS)[number]

/** What a new site still needs, found from what there is and never from what somebody ticked. */
export async function readChecklist(deps: ChecklistDeps, userId: string): Promise<Checklist> {
  const steps = await Promise.all(
    Object.entries(LOOKS).map(async ([name, look]) => ({ name: name as Step, isDone: await look(deps) })),
  )
  const { db } = deps
  const dismissed = await db
    .selectFrom('checklist_dismissals')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return { steps, isDismissed: dismissed !== undefined }
}

/** Of one administrator; the others keep it. */
export async function dismissChecklist(
  { db, clock }: Pick<ChecklistDeps, 'db' | 'clock'>,
  userId: string,
  isDismissed: boolean,
): Promise<void> {
  await db.deleteFrom('checklist_dismissals').where('user_id', '=', userId).execute()
  if (!isDismissed) return
  const row: ChecklistDismissalsTable = { user_id: userId, dismissed_at: clock.now() }
  await db.insertInto('checklist_dismissals').values(row).execute()
}

const LOOKS: Readonly<Record<Step, (deps: ChecklistDeps) => Promise<boolean>>> = {
  async storage(deps) {
    const storages = await listStorages(deps)
    return storages.length > 0 && storages.every(({ error }) => error === '')
  },
  mail: ({ mailer }) => mailer.isConfigured(),
  people: async ({ db }) => (await usersSearch.count(db, {}, 0)) > 1,
  address: ({ publicUrl }) => Promise.resolve(publicUrl.startsWith('https://')),
  async backup({ backups, clock }) {
    const { isOn, lastDoneAt } = await backups()
    return isOn && lastDoneAt !== null && lastDoneAt > clock.now() - FRESH_MS
  },
  async secondFactor({ db }) {
    const owner = await db.selectFrom('users').select('id').where('is_super', '=', 1).executeTakeFirst()
    return owner !== undefined && (await hasSecondFactor({ db }, owner.id))
  },
}
