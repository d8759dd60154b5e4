import type { UpgradeReport } from '@godwit/contract'
import type { Clock } from '@godwit/base'
import type { Db } from '../../kernel/db/index.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import type { DeviceChange } from './devices.schema.ts'
import { devicesStore } from './devices.store.ts'

/** Each node vouches for its own devices; those of one that died are gone after this time. */
export const CONNECTED_MS = 45_000

/** Keeps what a connected client says of its device, for the list of administrators. A session is no device and leaves no trace. */
export interface ConnectedDevices {
  /** Whether a person let it in by a code; a token of its owner's making is none. */
  isSignedIn(principal: AccountPrincipal): Promise<boolean>
  seen(principal: AccountPrincipal, facts: { readonly version: string; readonly address: string }): Promise<void>
  /** That these are still connected; to be said again within {@link CONNECTED_MS}. */
  connected(principals: readonly AccountPrincipal[]): Promise<void>
  /** What became of the last upgrade of its client; null: nothing is wrong. */
  upgraded(principal: AccountPrincipal, failure: UpgradeReport | null): Promise<void>
}

export function createConnectedDevices({ db, clock }: { readonly db: Db; readonly clock: Clock }): ConnectedDevices {
  const change = async (principal: AccountPrincipal, facts: DeviceChange): Promise<void> => {
    if (principal.kind === 'api-token') await devicesStore.change(db, principal.apiTokenId, facts)
  }
  return {
    isSignedIn: async (principal) =>
      principal.kind === 'api-token' && (await devicesStore.isByCode(db, principal.apiTokenId)),
    seen: (principal, { version, address }) =>
      change(principal, {
        ...{ version, address: address.slice(0, 64), last_seen_at: clock.now() },
        connected_until: clock.now() + CONNECTED_MS,
      }),
    async connected(principals) {
      const ids = principals.flatMap((principal) => (principal.kind === 'api-token' ? [principal.apiTokenId] : []))
      const now = clock.now()
      await devicesStore.changeAll(db, ids, { last_seen_at: now, connected_until: now + CONNECTED_MS })
    },
    upgraded: (principal, failure) =>
      change(principal, { upgrade_version: failure?.version ?? '', upgrade_reason: failure?.reason ?? '' }),
  }
}
