import { z } from 'zod'
import { errorSpec, type ErrorName } from '../errors/catalogue.ts'
import { isVersion } from './versions.ts'

/**
 * Why a client does not begin to upgrade itself:
 * - by-hand: a package manager or an installer owns its program, or it runs from sources
 * - untrusted: the server has no release that is signed with a key this client trusts
 * - not-newer: what the server has is no newer than what runs
 * - failed: the release could not be fetched or did not start before
 */
export const UPGRADE_REFUSALS = ['by-hand', 'untrusted', 'not-newer', 'failed'] as const
export type UpgradeRefusal = (typeof UPGRADE_REFUSALS)[number]

/**
 * Why an upgrade that had begun did not come about; the old version stays:
 * - not-fetched: the package does not arrive
 * - altered: what arrived is not the package that was signed
 * - not-stored: the disk of the client does not take it
 * - not-started: the new version does not start on this computer
 * - rolled-back: it started and did not reach a server
 */
export const UPGRADE_FAULTS = ['not-fetched', 'altered', 'not-stored', 'not-started', 'rolled-back'] as const
export type UpgradeFault = (typeof UPGRADE_FAULTS)[number]

export type UpgradeReason = UpgradeRefusal | UpgradeFault

/** The error that stands for each; its text says what to do. */
export const UPGRADE_ERRORS = {
  'by-hand': 'CLIENT_UPGRADE_BY_HAND',
  untrusted: 'CLIENT_UPGRADE_UNTRUSTED',
  'not-newer': 'CLIENT_UPGRADE_NOT_NEWER',
  failed: 'CLIENT_UPGRADE_FAILED',
  'not-fetched': 'CLIENT_UPGRADE_NOT_FETCHED',
  altered: 'CLIENT_UPGRADE_ALTERED',
  'not-stored': 'CLIENT_UPGRADE_NOT_STORED',
  'not-started': 'CLIENT_UPGRADE_NOT_STARTED',
  'rolled-back': 'CLIENT_UPGRADE_ROLLED_BACK',
} as const satisfies Readonly<Record<UpgradeReason, ErrorName>>

/** As a client reports it. */
export const upgradeReport = z.strictObject({
  /** What it was to become. */
  version: z.string().max(20).refine(isVersion),
  reason: z.enum([...UPGRADE_REFUSALS, ...UPGRADE_FAULTS]),
})
export type UpgradeReport = z.infer<typeof upgradeReport>

/** As people see it. */
export const upgradeFailure = z.object({
  version: z.string(),
  /** Number of an error of the catalogue. */
  code: z.int(),
})
export type UpgradeFailure = z.infer<typeof upgradeFailure>

export function upgradeFailureOf({ version, reason }: UpgradeReport): UpgradeFailure {
  return { version, code: errorSpec(UPGRADE_ERRORS[reason]).wire }
}
