/** Apart from the schemas, which a page does not load. */

/**
 * - none: no licence is installed; the setting `edition` decides
 * - active, expiring (30 days or fewer are left), expired
 * - invalid: what was installed no longer verifies, such as after a change of the issuer's key
 */
export const LICENCE_STATES = ['none', 'active', 'expiring', 'expired', 'invalid'] as const
export type LicenceState = (typeof LICENCE_STATES)[number]

/**
 * Why a licence is refused:
 * - form: it is no licence file, or it is cut short
 * - no-issuer: this server knows no issuer (`licence.issuerKey`)
 * - signature: the issuer did not sign it, or it was changed afterwards
 * - machine: it is for another installation
 * - not-started: its time begins later
 */
export const LICENCE_FAULTS = ['form', 'no-issuer', 'signature', 'machine', 'not-started'] as const
export type LicenceFault = (typeof LICENCE_FAULTS)[number]

/** Days before its end at which the administrators are reminded, the longest first; 0 is the end itself. */
export const LICENCE_REMINDER_DAYS = [30, 7, 1, 0] as const
/** A licence file takes less than one KiB. */
export const LICENCE_FILE_MAX = 16 * 1024
export const LICENCE_CODE_LENGTHS = [13, 16, 20] as const
