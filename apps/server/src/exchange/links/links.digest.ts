import { SHARE_URL_TYPE } from '@godwit/contract'
import type { Mailer } from '../../foundation/mail/index.ts'
import { localeOf, preferencesStore, usersStore } from '../../identity/users/index.ts'
import { inTransaction, type Tx } from '../../kernel/db/index.ts'
import { oneLine } from '../../kernel/plain-text.ts'
import { TOGETHER_MS } from './link-uses.ts'
import type { LinksDeps } from './links.deps.ts'
import type { LinkRow, LinkUseRow } from './links.schema.ts'
import { linksStore } from './links.store.ts'
import { visitsStore } from './visits.store.ts'

/** A record of uploads grows for a while; it is reported when it cannot any more. */
const SETTLED_MS = TOGETHER_MS + 60_000
/** Two mails about one link are at least this far apart. */
const PAUSE_MS = 30 * 60_000
/** Links of one sweep; the next one takes the rest. */
const LINKS_AT_ONCE = 100
const USES_AT_ONCE = 1_000
const FILES_NAMED = 10

export interface DigestDeps extends Pick<LinksDeps, 'db' | 'clock'> {
  readonly mailer: Pick<Mailer, 'isConfigured' | 'send'>
}

/** Mails owners what guests took or brought since the last mail, as far as they asked for it. @returns how many mails were written */
export async function mailDigests(deps: DigestDeps): Promise<number> {
  const until = deps.clock.now() - SETTLED_MS
  const rows = await linksStore.withNews(deps.db, { until, before: deps.clock.now() - PAUSE_MS, limit: LINKS_AT_ONCE })
  let mails = 0
  for (const row of rows) if (await inTransaction(deps.db, (tx) => mailDigest(deps, tx, { row, until }))) mails += 1
  return mails
}

interface News {
  readonly row: LinkRow
  readonly until: number
}

async function mailDigest({ clock, mailer }: DigestDeps, tx: Tx, { row, until }: News): Promise<boolean> {
  const uses = await visitsStore.usesBetween(tx, row.id, { after: row.reported_until, until, limit: USES_AT_ONCE })
  const last = uses.at(-1)
  if (last === undefined) return false
  // Only whoever comes first marks them as reported.
  if (!(await linksStore.markReported(tx, row, { until: last.at, now: clock.now() }))) return false
  const owner = await usersStore.byId(tx, row.owner_id)
  if (owner === undefined || owner.email === '' || !(await mailer.isConfigured(tx))) return false
  const isInvite = row.url_type === SHARE_URL_TYPE.upload
  const values = { account: owner.account, name: oneLine(row.label), ...summaryOf(uses, isInvite) }
  const template = isInvite ? 'link-uploaded' : 'link-downloaded'
  const locale = localeOf(await preferencesStore.of(tx, owner.id))
  await mailer.send({ template, locale, values, to: owner.email, path: isInvite ? '/link/invite' : '/link/share' }, tx)
  return true
}

/** Downloads are counted as such, uploads by their files. */
function summaryOf(uses: readonly LinkUseRow[], isInvite: boolean): { readonly count: number; readonly files: string } {
  const names = new Set(uses.flatMap(({ files }) => (JSON.parse(files) as string[]).map(oneLine)))
  const named = [...names].slice(0, FILES_NAMED)
  const count = isInvite ? uses.reduce((sum, { file_count: files }) => sum + files, 0) : uses.length
  return { count, files: [...named, ...(names.size > named.length ? ['…'] : [])].join(', ') }
}
