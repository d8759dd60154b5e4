import type { Clock } from '@godwit/base'
import { DEFAULT_EDITION, type Feature } from '@godwit/contract'
import { inTransaction, type Db, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/index.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { Settings } from '../settings/index.ts'
import { installationId } from '../storages/index.ts'
import { machineCodeOf, readLicence, requireCode, requireUsable } from './licence.file.ts'
import type { LicencesTable } from './licence.schema.ts'
import { LICENCE_SETTINGS } from './licence.settings.ts'
import { licencesStore } from './licence.store.ts'
import {
  dueLicenceReminder,
  requireFeature,
  termsOfEdition,
  termsOfLicence,
  type LicencePlace,
  type LicenceTerms,
} from './licence.terms.ts'

declare module '../../kernel/events/outbox.ts' {
  interface DurableEvents {
    /** The licence ends soon, or has ended (`days` is 0); `days` is the reminder that is due. */
    readonly 'licence.expiring': {
      readonly licenceId: string
      readonly expiresAt: number
      readonly days: number
    }
  }
}

export interface LicenceDeps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: Ids
  /** Public key of whoever may issue licences; '' when nobody may. */
  readonly issuerKey: string
}

/** The licence in force, as this process knows it: at most a second old. */
export interface Licence {
  /** As it was at the last look. */
  current(): LicenceTerms
  /** Looks anew when the last look is a second old. */
  terms(): Promise<LicenceTerms>
  /** @param field what needs it, where that is part of a form @throws AppError EDITION_FEATURE_MISSING */
  requireFeature(feature: Feature | undefined, field?: string): Promise<void>
  /** Looks anew at once. */
  refresh(): Promise<LicenceTerms>
}

const LOOK_MS = 1_000

export function watchLicence(deps: LicenceDeps & { readonly settings: Settings }): Licence {
  let known = termsOfEdition(DEFAULT_EDITION)
  let licensed: { readonly terms: LicenceTerms | undefined; readonly until: number } | undefined

  // The edition of the setting is not kept here: the settings keep it for a second already.
  async function terms(): Promise<LicenceTerms> {
    if (licensed === undefined || deps.clock.monotonic() >= licensed.until)
      licensed = { terms: await licensedTerms(deps), until: deps.clock.monotonic() + LOOK_MS }
    known = licensed.terms ?? (await termsOfSetting(deps))
    return known
  }

  return {
    current: () => known,
    terms,
    refresh() {
      licensed = undefined
      return terms()
    },
    async requireFeature(feature, field) {
      if (feature !== undefined) requireFeature(await terms(), feature, field)
    },
  }
}

/** What holds now: of the licence, or of the setting without one. */
export async function lookAtTerms(deps: LicenceDeps & { readonly settings: Settings }): Promise<LicenceTerms> {
  return (await licensedTerms(deps)) ?? termsOfSetting(deps)
}

async function licensedTerms(deps: LicenceDeps): Promise<LicenceTerms | undefined> {
  const row = await licencesStore.newest(deps.db, 'in-force')
  return row === undefined ? undefined : termsOfLicence(row, await placeOf(deps))
}

async function termsOfSetting({ settings }: { readonly settings: Settings }): Promise<LicenceTerms> {
  return termsOfEdition((await settings.of(LICENCE_SETTINGS)).edition)
}

/** What an issuer needs to know of this installation. */
export async function machineCode(db: Db | Tx): Promise<string> {
  return machineCodeOf((await installationId(db)) ?? '')
}

async function placeOf({ db, clock, issuerKey }: Omit<LicenceDeps, 'ids'>, tx: Db | Tx = db): Promise<LicencePlace> {
  return { now: clock.now(), issuerKey, machineCode: await machineCode(tx) }
}

export interface WantedLicence {
  /** '' for the file that waits. */
  readonly file: string
  /** '' for a file that is to wait for its code. */
  readonly code: string
  /** Account; '' for the operator at the shell. */
  readonly by: string
}

/**
 * Puts a licence in force; a file without its code waits for it, and the one in force stays.
 * @param record commits with it
 * @throws AppError LICENCE_INVALID, LICENCE_EXPIRED, LICENCE_CODE_FORMAT, LICENCE_CODE_UNSUPPORTED
 */
export async function installLicence(
  deps: LicenceDeps,
  wanted: WantedLicence,
  record?: (tx: Tx, row: LicencesTable) => Promise<void>,
): Promise<LicencesTable> {
  return inTransaction(deps.db, async (tx) => {
    const file = wanted.file === '' ? (await licencesStore.newest(tx, 'waiting'))?.file : wanted.file
    if (file === undefined) throw new AppError('LICENCE_CODE_UNSUPPORTED', { field: 'code' })
    const licence = readLicence(file, deps.issuerKey)
    requireUsable(licence, await placeOf(deps, tx))
    const isActive = wanted.code !== ''
    if (isActive) requireCode(licence, wanted.code)
    // What was used of a licence stays used, however often it is installed.
    const before = await licencesStore.known(tx, licence.id)
    const now = deps.clock.now()
    const row: LicencesTable = {
      ...{ id: deps.ids.next(), licence_id: licence.id, state: isActive ? 'in-force' : 'waiting', file },
      ...{ used_bytes: Number(before?.used_bytes ?? 0), reminded_days: before?.reminded_days ?? null },
      ...{ installed_at: now, activated_at: isActive ? now : null, installed_by: wanted.by },
    }
    await licencesStore.retire(tx, 'waiting')
    if (isActive) await licencesStore.retire(tx, 'in-force')
    await licencesStore.insert(tx, row)
    await record?.(tx, row)
    return row
  })
}

/** Takes the licence out of force, and one that waits away. @returns what was in force or waited */
export async function removeLicence(
  { db }: Pick<LicenceDeps, 'db'>,
  record?: (tx: Tx, row: LicencesTable) => Promise<void>,
): Promise<LicencesTable | undefined> {
  return inTransaction(db, async (tx) => {
    const row = (await licencesStore.newest(tx, 'in-force')) ?? (await licencesStore.newest(tx, 'waiting'))
    if (row === undefined) return undefined
    await licencesStore.retire(tx, 'waiting')
    await licencesStore.retire(tx, 'in-force')
    await record?.(tx, row)
    return row
  })
}

/** Notes the reminder that is due, once for each step. */
export async function remindOfLicence(deps: LicenceDeps): Promise<void> {
  const { db, clock } = deps
  await inTransaction(db, async (tx) => {
    const row = await licencesStore.newest(tx, 'in-force')
    const { licence } = row === undefined ? {} : termsOfLicence(row, await placeOf(deps, tx))
    if (row === undefined || licence === undefined || licence.expiresAt === null) return
    const days = dueLicenceReminder(licence, row.reminded_days, clock.now())
    if (days === undefined) return
    await licencesStore.remind(tx, row.id, days)
    await recordEvent({ tx, clock }, 'licence.expiring', {
      licenceId: licence.id,
      expiresAt: licence.expiresAt,
      days,
    })
  })
}
