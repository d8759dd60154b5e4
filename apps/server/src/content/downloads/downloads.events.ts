import type { Clock } from '@godwit/base'
import type { Door } from '../../kernel/context.ts'
import { inTransaction, type Db } from '../../kernel/db/index.ts'
import type { Outbox } from '../../kernel/events/index.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import type { Found } from '../access/index.ts'
import { originOf, type FileEvent } from '../file-events/index.ts'

/** A download about to begin. */
export interface Downloading {
  readonly principal: AccountPrincipal
  readonly door: Door
  readonly found: readonly Found[]
  /** Of a zip: of everything in it. */
  readonly version?: string
  /** First byte asked for; more than 0 where a reader goes on. */
  readonly start: number
}

/** Emits `file.downloaded` for each path. Resolves before the first byte may leave. */
export type ReportDownload = (downloading: Downloading) => Promise<void>

interface ReportDeps {
  readonly db: Db
  readonly clock: Clock
  readonly outbox: Outbox
}

/** A reader that goes on within this time is still at the download that was reported. */
const CONTINUED_MS = 3_600_000
const REMEMBERED = 10_000

/** Players and download managers ask for a file in pieces: pieces after the first are part of the same download. */
export function createDownloadReports({ db, clock, outbox }: ReportDeps): ReportDownload {
  const reportedAt = new Map<string, number>()

  function isContinued({ principal, found, version, start }: Downloading): boolean {
    const [only] = found
    if (only === undefined || (found.length > 1 && version === undefined)) return false
    const name = [principal.kind, principal.id, only.location.key, version ?? only.entry.etag].join('\n')
    const now = clock.monotonic()
    if (start > 0 && now - (reportedAt.get(name) ?? -Infinity) < CONTINUED_MS) return true
    reportedAt.delete(name)
    reportedAt.set(name, now)
    const [oldest] = reportedAt.keys()
    if (reportedAt.size > REMEMBERED && oldest !== undefined) reportedAt.delete(oldest)
    return false
  }

  return async (downloading) => {
    if (isContinued(downloading)) return
    const { principal, found } = downloading
    const origin = originOf(downloading)
    const at = clock.now()
    const events = found.map(({ location: { path, place }, entry: { kind, size } }): FileEvent => {
      return { ...origin, ...place, userId: principal.id, path, kind, size: kind === 'file' ? size : null, at }
    })
    await inTransaction(db, (tx) => outbox.addAll(tx, 'file.downloaded', events))
    outbox.nudge()
  }
}
