import {
  isOlder,
  type ClientDownload,
  type ClientOutcome,
  type ClientSync,
  type ClientUpload,
  UPGRADE_ERRORS,
} from '@godwit/contract'
import { requireMember } from '../../content/spaces/index.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import { AppError } from '../../kernel/errors.ts'
import { accountOf } from '../../identity/principals/index.ts'
import { canWorkIn } from './clients.policy.ts'
import type { ClientRules } from './clients.settings.ts'
import { type ClientsDeps, createPresence, type Presence, type PresentClient, stateOf } from './presence.ts'

/** Who is connected to this process, and what pages may ask of them. */
export interface Clients extends Omit<Presence, 'latestOf' | 'all'> {
  /** @throws AppError NO_SPACE, CLIENT_NOT_CONNECTED, CLIENT_TOO_OLD, CLIENT_SPACE_UNSUPPORTED, TRANSFER_CLIENT_TIMEOUT */
  setSpace(principal: AccountPrincipal, spaceId: number): Promise<boolean>
  /**
   * Resolves when the client begins to upgrade itself.
   * @throws AppError CLIENT_NOT_CONNECTED, TRANSFER_CLIENT_TIMEOUT, CLIENT_UPGRADE_FAILED, CLIENT_UPGRADE_BY_HAND,
   *   CLIENT_UPGRADE_UNTRUSTED, CLIENT_UPGRADE_NOT_NEWER
   */
  upgrade(principal: AccountPrincipal): Promise<void>
  /** Tells each older client once to upgrade itself, where the site wants that. What became of it is the client's to say. */
  offerUpgrades(): Promise<void>
  /** Hands a transfer over. @throws AppError CLIENT_NOT_CONNECTED, CLIENT_TOO_OLD, TRANSFER_CLIENT_TIMEOUT */
  transfer(principal: AccountPrincipal, order: TransferOrder): Promise<ClientOutcome>
}

export type TransferOrder =
  | ({ readonly name: 'upload' } & ClientUpload)
  | ({ readonly name: 'download' } & ClientDownload)
  | ({ readonly name: 'sync' } & ClientSync)

export function createClients(deps: ClientsDeps): Clients {
  const { rules } = deps
  const presence = createPresence(deps)
  const { latestOf } = presence

  /** @throws AppError CLIENT_NOT_CONNECTED, CLIENT_TOO_OLD */
  async function usable(principal: AccountPrincipal): Promise<{ client: PresentClient; site: ClientRules }> {
    const site = await rules()
    const client = latestOf(principal.id)
    if (client === undefined) throw new AppError('CLIENT_NOT_CONNECTED')
    if (stateOf(client, site) === 'outdated') {
      throw new AppError('CLIENT_TOO_OLD', { version: client.line.version, minVersion: site.clientMinVersion })
    }
    return { client, site }
  }

  return {
    ...presence,
    async setSpace(principal, spaceId) {
      requireMember(accountOf(principal), spaceId)
      const { client, site } = await usable(principal)
      const { version } = client.line
      if (!canWorkIn(spaceId, version, site)) {
        throw new AppError('CLIENT_SPACE_UNSUPPORTED', { version, minVersion: site.clientSpaceVersion })
      }
      const { success } = await client.line.command({ name: 'setSpace', spaceId })
      if (success) await presence.change(client, { ready: client.ready, spaceId })
      return success
    },
    async upgrade(principal) {
      const client = latestOf(principal.id)
      if (client === undefined) throw new AppError('CLIENT_NOT_CONNECTED')
      const version = (await rules()).clientUpgradeVersion
      const { success, refusal } = await client.line.command({ name: 'upgrade', version, isAuto: false })
      if (!success) throw new AppError(UPGRADE_ERRORS[refusal ?? 'failed'])
    },
    async offerUpgrades() {
      const { autoUpdateSwitch, clientUpgradeVersion: version } = await rules()
      if (autoUpdateSwitch !== 1) return
      const older = presence.all().filter(({ line, offered }) => offered !== version && isOlder(line.version, version))
      await Promise.allSettled(
        older.map(async (client) => {
          client.offered = version
          // One that hangs up or keeps silent is asked again when it comes back.
          await client.line.command({ name: 'upgrade', version, isAuto: true })
        }),
      )
    },
    async transfer(principal, order) {
      const { client } = await usable(principal)
      return (await client.line.command(order)).outcome ?? 'refused'
    },
  }
}
