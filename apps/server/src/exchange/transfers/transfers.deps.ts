import type { ServerState } from '../../foundation/server-state/index.ts'
import type { Clock } from '@godwit/base'
import type { PlaceIds } from '../../content/access/index.ts'
import type { RunningDownloads } from '../../content/downloads/index.ts'
import type { FilesDeps } from '../../content/files/index.ts'
import type { IntakeApi } from '../../content/intake/index.ts'
import type { Licence } from '../../foundation/licence/index.ts'
import type { Log } from '../../kernel/context.ts'
import type { Vault } from '../../kernel/crypto/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { Bus } from '../../kernel/events/index.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { CallLimit } from '../../kernel/limits/index.ts'
import type { Clients, ClientSettings } from '../clients/index.ts'

/** Where clients connect to. */
export interface TransferPort {
  readonly port: number
  /** 0: UDP is off. */
  readonly udpPort: number
  readonly packetSize: number
}

export interface TransfersDeps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: Ids
  readonly bus: Bus
  readonly log: Log
  readonly vault: Vault
  readonly files: FilesDeps
  readonly intake: IntakeApi['deps']
  readonly downloads: RunningDownloads
  readonly clients: Pick<Clients, 'transfer'>
  readonly state: ServerState
  readonly clientSettings: () => Promise<ClientSettings>
  /** How an account may transfer. */
  readonly waysOf: (member: {
    readonly userId: string
    readonly spaceId: number
  }) => Promise<{ readonly transferType: number }>
  readonly licence: Pick<Licence, 'requireFeature'>
  /** Whether folders of a place are kept in sync; inside a group by its values. */
  readonly syncRulesOf: (
    userId: string,
    place: PlaceIds,
  ) => Promise<{ readonly transSyncSwitch: number; readonly transSyncTriggeringCondition: number }>
  readonly ticketLimit: CallLimit
  /** Uploads that pages of an account begin. */
  readonly reportLimit: CallLimit
}
