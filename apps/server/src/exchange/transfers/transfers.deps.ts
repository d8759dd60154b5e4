import type { ServerState } from '../../foundation/server-state/index.ts'
import type { Clock } from '@godwit/base'
import type { PlaceIds } from '../../content/access/index.ts'
import type { RunningDownloads } from '../../content/downloads/index.ts'
import type { FilesDeps } from '../../content/files/index.ts'
import type { IntakeApi } from '../../content/intake/index.ts'
import type { TRANSFER_RULES } from '../../content/spaces/index.ts'
import type { Licence } from '../../foundation/licence/index.ts'
import type { Log } from '../../kernel/context.ts'
import type { Vault } from '../../kernel/crypto/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { Bus } from '../../kernel/events/index.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { CallLimit } from '../../kernel/limits/index.ts'
import type { ValuesOf } from '../../kernel/setting.ts'
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
  /** What an account transfers in a place, and leaves out; inside a group by its values. */
  readonly rulesOf: (userId: string, place: PlaceIds) => Promise<ValuesOf<typeof TRANSFER_RULES.specs>>
  /** The space that an account works in where nobody says another; 0 without any. */
  readonly defaultSpaceOf: (userId: string) => Promise<number>
  readonly ticketLimit: CallLimit
  /** Uploads that pages of an account begin. */
  readonly reportLimit: CallLimit
}
