import {
  editionProfile,
  hasFeature,
  LICENCE_REMINDER_DAYS,
  type Edition,
  type EditionName,
  type Feature,
  type LicenceState,
} from '@godwit/contract'
import { AppError, toAppError } from '../../kernel/errors.ts'
import { readLicence, requireUsable, type LicenceBody } from './licence.file.ts'
import type { LicencesTable } from './licence.schema.ts'

const DAY_MS = 86_400_000
const WARNING_DAYS = 30

/** What this installation may do now. */
export interface LicenceTerms extends Edition {
  readonly state: LicenceState
  readonly edition: EditionName
  /** What the file in force says; undefined without one, and for one that no longer verifies. */
  readonly licence: LicenceBody | undefined
  /** Row of the licence in force. */
  readonly rowId: string
  /** Why nothing may be transferred; undefined while transfers are allowed. */
  readonly closed: AppError | undefined
}

export interface LicencePlace {
  readonly now: number
  readonly issuerKey: string
  readonly machineCode: string
}

/** Without a licence the setting decides, and everything of its edition may be used. */
export function termsOfEdition(edition: EditionName): LicenceTerms {
  const none = { licence: undefined, rowId: '', closed: undefined }
  return { ...editionProfile(edition), edition, state: 'none', ...none }
}

/** Under an expired licence everything stays as it is, but nothing is transferred; one that does not verify leaves the free edition. */
export function termsOfLicence(
  { id, file, used_bytes: usedBytes }: Pick<LicencesTable, 'id' | 'file' | 'used_bytes'>,
  place: LicencePlace,
): LicenceTerms {
  let licence: LicenceBody | undefined
  try {
    licence = readLicence(file, place.issuerKey)
    requireUsable(licence, place)
  } catch (thrown) {
    const closed = toAppError(thrown)
    if (licence === undefined || closed.code !== 'LICENCE_EXPIRED')
      return { ...termsOfEdition('free'), state: 'invalid', licence, rowId: id, closed }
    return { ...inForce(licence, id), state: 'expired', closed: new AppError('LICENCE_EXPIRED') }
  }
  const left = daysLeft(licence.expiresAt, place.now)
  const terms = inForce(licence, id)
  const isUsedUp = terms.countsTraffic && terms.trafficBytes !== null && Number(usedBytes) >= terms.trafficBytes
  return {
    ...terms,
    state: left !== null && left < WARNING_DAYS ? 'expiring' : 'active',
    closed: isUsedUp ? new AppError('TRAFFIC_INSUFFICIENT') : undefined,
  }
}

function inForce(licence: LicenceBody, rowId: string): Omit<LicenceTerms, 'state'> {
  const given = Object.entries(licence.limits).filter(([, value]) => value !== undefined)
  const profile = editionProfile(licence.edition, Object.fromEntries(given))
  return { ...profile, edition: licence.edition, licence, rowId, closed: undefined }
}

/** Whole days until the end; negative afterwards. */
export function daysLeft(expiresAt: number | null, now: number): number | null {
  return expiresAt === null ? null : Math.floor((expiresAt - now) / DAY_MS)
}

/** @returns the reminder that is due, in days before the end */
export function dueLicenceReminder(
  { startsAt, expiresAt }: Pick<LicenceBody, 'startsAt' | 'expiresAt'>,
  remindedDays: number | null,
  now: number,
): number | undefined {
  if (expiresAt === null) return undefined
  const due = LICENCE_REMINDER_DAYS.findLast((days) => now >= expiresAt - days * DAY_MS)
  if (due === undefined || (remindedDays !== null && remindedDays <= due)) return undefined
  // A licence for days only needs no reminder weeks ahead.
  return due * DAY_MS * 2 > expiresAt - startsAt ? undefined : due
}

/** @throws AppError EDITION_FEATURE_MISSING */
export function requireFeature(terms: Pick<LicenceTerms, 'features'>, feature: Feature, field?: string): void {
  if (!hasFeature(terms, feature))
    throw new AppError('EDITION_FEATURE_MISSING', { feature, ...(field === undefined ? {} : { field }) })
}
