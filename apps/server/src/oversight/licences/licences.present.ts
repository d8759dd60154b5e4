import { FEATURES, hasFeature, type LicenceStatus, type LicenceView } from '@godwit/contract'
import {
  daysLeft,
  licencesStore,
  machineCode,
  readLicence,
  type LicencesTable,
  type LicenceTerms,
} from '../../foundation/licence/index.ts'
import { usersStore } from '../../identity/users/index.ts'
import type { Db } from '../../kernel/db/index.ts'

export interface StatusDeps {
  readonly db: Db
  readonly now: number
  readonly issuerKey: string
  readonly terms: LicenceTerms
}

/** The licence as the console and the shell show it. */
export async function licenceStatus({ db, now, issuerKey, terms }: StatusDeps): Promise<LicenceStatus> {
  const inForce = await licencesStore.newest(db, 'in-force')
  const waiting = await licencesStore.newest(db, 'waiting')
  const usedBytes = Number(inForce?.used_bytes ?? 0)
  const view = (row: LicencesTable | undefined) => row && presentLicence(row, { now, issuerKey })
  const { trafficBytes } = terms
  return {
    state: terms.state,
    edition: terms.edition,
    features: FEATURES.filter((feature) => hasFeature(terms, feature)),
    licence: view(inForce) ?? null,
    pending: view(waiting) ?? null,
    machineCode: await machineCode(db),
    hasIssuer: issuerKey !== '',
    users: { limit: terms.users, used: await usersStore.countLimited(db) },
    clients: { limit: terms.clients },
    bandwidthMbps: terms.bandwidthMbps,
    traffic: {
      isCounted: terms.countsTraffic,
      totalBytes: trafficBytes,
      usedBytes,
      leftBytes: trafficBytes === null ? null : Math.max(0, trafficBytes - usedBytes),
    },
  }
}

/** @returns undefined for a file that no longer verifies, whose words count for nothing */
export function presentLicence(
  row: LicencesTable,
  { now, issuerKey }: { readonly now: number; readonly issuerKey: string },
): LicenceView | undefined {
  let licence
  try {
    licence = readLicence(row.file, issuerKey)
  } catch {
    return undefined
  }
  const { id, edition, holder, machine, startsAt, expiresAt } = licence
  return {
    ...{ id, edition, holder, startsAt, expiresAt },
    isBound: machine !== '',
    daysLeft: daysLeft(expiresAt, now),
    installedAt: Number(row.installed_at),
    activatedAt: row.activated_at === null ? null : Number(row.activated_at),
    installedBy: row.installed_by,
  }
}
