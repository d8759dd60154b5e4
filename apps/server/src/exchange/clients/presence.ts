import {
  type ClientCommand,
  type ClientOutcome,
  type ClientView,
  type ErrorName,
  type UpgradeFailure,
  upgradeFailureOf,
  type UpgradeRefusal,
  type UpgradeReport,
} from '@godwit/contract'
import { AppError, type ErrorDetails } from '../../kernel/errors.ts'
import type { Bus } from '../../kernel/events/index.ts'
import type { ClientRules } from './clients.settings.ts'
import { canWorkIn, clientState, hasRoom, NO_CLIENT } from './clients.policy.ts'

declare module '../../kernel/events/bus.ts' {
  interface Signals {
    /** The account's desktop client came, went or changed. */
    readonly 'client.changed': { readonly userId: string; readonly client: ClientView }
    /** A desktop client of the account was turned away. */
    readonly 'client.refused': { readonly userId: string; readonly code: ErrorName; readonly details: ErrorDetails }
  }
}

/** What a client answers to a command. */
export interface Obeyed {
  readonly success: boolean
  /** Of a transfer; a client that does not know the command says none. */
  readonly outcome?: ClientOutcome | undefined
  /** Of an upgrade that does not begin. */
  readonly refusal?: UpgradeRefusal | undefined
}

/** A desktop client as it introduced itself, and the line to it. */
export interface ClientLine {
  readonly userId: string
  readonly deviceId: string
  readonly deviceName: string
  readonly platform: string
  readonly version: string
  readonly spaceId: number
  readonly ready: boolean
  readonly canAsk: boolean
  /** @throws AppError CLIENT_NOT_CONNECTED, TRANSFER_CLIENT_TIMEOUT */
  command(command: ClientCommand): Promise<Obeyed>
  /** Its place was taken by a newer connection of the same device. */
  replaced(): void
}

export interface PresentClient {
  readonly line: ClientLine
  spaceId: number
  ready: boolean
  /** The version it was told to upgrade itself to, without anybody asking. */
  offered?: string
  /** The upgrade that did not come about last. */
  upgradeFailure: UpgradeFailure | null
}

/** Who is connected to this process. */
export interface Presence {
  /** @throws AppError CLIENT_CONNECTION_LIMIT, of which pages of the account are notified as well */
  enter(line: ClientLine): Promise<PresentClient>
  change(
    client: PresentClient,
    change: { readonly ready: boolean; readonly spaceId?: number | undefined },
  ): Promise<void>
  /** What became of its last upgrade, as the client reports it. */
  upgraded(client: PresentClient, failure: UpgradeReport | null): Promise<void>
  leave(client: PresentClient): Promise<void>
  viewOf(userId: string): Promise<ClientView>
  /** Those that may transfer: an outdated one does not count. */
  online(): Promise<number>
  /** The client of an account that came last. */
  latestOf(userId: string): PresentClient | undefined
  all(): readonly PresentClient[]
}

export interface ClientsDeps {
  readonly rules: () => Promise<ClientRules>
  readonly bus: Bus
}

/** The set of connected clients; pages of an account are notified of every change. */
export function createPresence({ rules, bus }: ClientsDeps): Presence {
  const present = new Set<PresentClient>()

  /** The one that came last: a person drives the computer they sit at. */
  function latestOf(userId: string): PresentClient | undefined {
    return [...present].findLast(({ line }) => line.userId === userId)
  }

  function transferring(site: ClientRules): PresentClient[] {
    return [...present].filter((client) => stateOf(client, site) !== 'outdated')
  }

  async function publishView(userId: string): Promise<void> {
    bus.publish('client.changed', { userId, client: await viewOf(userId) })
  }

  async function viewOf(userId: string): Promise<ClientView> {
    const site = await rules()
    const upgradeVersion = site.clientUpgradeVersion
    const client = latestOf(userId)
    if (client === undefined) return { ...NO_CLIENT, upgradeVersion }
    const { version, deviceId, deviceName, platform, canAsk } = client.line
    return {
      ...{ version, deviceId, deviceName, platform, canAsk, upgradeVersion, spaceId: client.spaceId },
      upgradeFailure: client.upgradeFailure,
      state: stateOf(client, site),
      // Any space but the first stands for all of them.
      canChangeSpace: canWorkIn(Infinity, version, site),
    }
  }

  return {
    latestOf,
    all: () => [...present],
    viewOf,
    online: async () => transferring(await rules()).length,
    async enter(line) {
      const site = await rules()
      // From here to the end nothing waits: two that come at once cannot both take the last place.
      const same = [...present].find(({ line: other }) => isSameDevice(line, other))
      const others = transferring(site).filter((client) => client !== same)
      const client: PresentClient = { line, spaceId: line.spaceId, ready: line.ready, upgradeFailure: null }
      if (stateOf(client, site) !== 'outdated' && !hasRoom(site, others.length)) {
        const code = 'CLIENT_CONNECTION_LIMIT'
        const details = { limit: site.maxClients }
        bus.publish('client.refused', { userId: line.userId, code, details })
        throw new AppError(code, details)
      }
      if (same !== undefined) present.delete(same)
      present.add(client)
      same?.line.replaced()
      await publishView(line.userId)
      return client
    },
    async change(client, { ready, spaceId }) {
      client.ready = ready
      client.spaceId = spaceId ?? client.spaceId
      if (present.has(client)) await publishView(client.line.userId)
    },
    async upgraded(client, failure) {
      const before = client.upgradeFailure
      client.upgradeFailure = failure === null ? null : upgradeFailureOf(failure)
      if (before === null && failure === null) return
      if (present.has(client)) await publishView(client.line.userId)
    },
    async leave(client) {
      if (present.delete(client)) await publishView(client.line.userId)
    },
  }
}

export function stateOf({ line, ready }: PresentClient, site: ClientRules): ReturnType<typeof clientState> {
  return clientState({ version: line.version, ready }, site)
}

function isSameDevice(line: ClientLine, other: ClientLine): boolean {
  return line.userId === other.userId && line.deviceId === other.deviceId
}
