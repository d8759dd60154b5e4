import type { ClientRules } from './clients.settings.ts'
import { fitsLimit, isOlder, LIMITS, type ClientState, type ClientView } from '@godwit/contract'

type Versions = Pick<ClientRules, 'clientMinVersion' | 'clientSpaceVersion' | 'clientUpgradeVersion'>

export interface ClientFacts {
  readonly version: string
  readonly ready: boolean
}

export function clientState({ version, ready }: ClientFacts, versions: Versions): Exclude<ClientState, 'none'> {
  if (isOlder(version, versions.clientMinVersion)) return 'outdated'
  if (!ready) return 'starting'
  return isOlder(version, versions.clientUpgradeVersion) ? 'update-available' : 'connected'
}

/** A client older than `clientSpaceVersion` works in the first space only. */
export function canWorkIn(spaceId: number, version: string, versions: Versions): boolean {
  return spaceId === LIMITS.defaultSpaceId || !isOlder(version, versions.clientSpaceVersion)
}

/**
 * Whether one more client may come while so many others are connected: three may, in the free edition, and the fourth is
 * turned away.
 */
export function hasRoom({ maxClients }: Pick<ClientRules, 'maxClients'>, others: number): boolean {
  return fitsLimit(maxClients, others)
}

export const NO_CLIENT: Omit<ClientView, 'upgradeVersion'> = {
  state: 'none',
  version: '',
  deviceId: '',
  deviceName: '',
  platform: '',
  spaceId: 0,
  canChangeSpace: false,
  canAsk: false,
  upgradeFailure: null,
}
