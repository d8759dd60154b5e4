import { createHash } from 'node:crypto'
import type { CertificateSource } from '@godwit/contract'
import { wantedNames, type AcmeSettings } from './acme.settings.ts'
import type { AcmeState } from './acme.store.ts'

/** What is known of the certificate in force. */
export interface InForce {
  readonly source: CertificateSource
  readonly names: readonly string[]
  readonly notBefore: number
  readonly notAfter: number
}

const QUARTER_MS = 15 * 60_000
const DAY_MS = 24 * 3_600_000
/** An authority renews when a third of the life is left: 30 days of 90. */
const SHARE_LEFT = 1 / 3

/**
 * When the next certificate is due, Unix milliseconds: at once without one, in place of one that signed itself, and when the
 * domains are others; else a third of its life before its end, whoever put it in force.
 */
export function renewalTime({ settings, state, inForce }: Standing): number {
  if (inForce === undefined || inForce.source === 'self-signed') return 0
  const wanted = wantedNames(settings['acme.domains'])
  const isForOthers = wanted.length !== inForce.names.length || wanted.some((name) => !inForce.names.includes(name))
  // An authority may sign for other names than it was asked for, and would do so again.
  const isAnswered = state.failures === 0 && state.settings_id === settingsId(settings)
  if (inForce.source === 'acme' && isForOthers && !isAnswered) return 0
  return inForce.notAfter - (inForce.notAfter - inForce.notBefore) * SHARE_LEFT
}

/** The earliest next try after failures: 15 minutes, then twice as long each time, a day at most. Authorities count. */
export function nextTry(settings: AcmeSettings, state: AcmeState): number {
  if (state.failures === 0 || state.settings_id !== settingsId(settings)) return 0
  return state.tried_at + Math.min(DAY_MS, QUARTER_MS * 2 ** Math.min(state.failures - 1, 10))
}

export interface Standing {
  readonly settings: AcmeSettings
  readonly state: AcmeState
  readonly inForce: InForce | undefined
}

/** Whether to order now. Who asks for an order does not wait for the next try. */
export function isOrderDue({ settings, state, inForce }: Standing, now: number): boolean {
  if (settings['acme.switch'] === 0) return false
  if (state.wanted_at > 0) return true
  return now >= renewalTime({ settings, state, inForce }) && now >= nextTry(settings, state)
}

/** Tells whether a failure is of the same settings. */
export function settingsId(settings: AcmeSettings): string {
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex')
}
