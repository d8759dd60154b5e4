import type { RunningDownloads } from '../../content/downloads/index.ts'
import type { FilesDeps } from '../../content/files/index.ts'
import type { IntakeApi } from '../../content/intake/index.ts'
import { ownSpacesOf, placeRulesOf, transferRulesOf } from '../../content/spaces/index.ts'
import type { Licence } from '../../foundation/licence/index.ts'
import type { ServerState } from '../../foundation/server-state/index.ts'
import type { Settings } from '../../foundation/settings/index.ts'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { push } from '../../kernel/push.ts'
import { CLIENT_SETTINGS, type Clients } from '../clients/index.ts'
import { consoleEndpoints } from './console.routes.ts'
import { deviceEndpoints } from './devices.routes.ts'
import { createTransferDoor, type TransferDoor } from './transfer-door.ts'
import { TransferBooks } from './transfer-books.ts'
import { TransferHistory, WRITE_MS } from './transfer-history.ts'
import { RECHECK_MS, TransferRuns } from './transfer-runs.ts'
import { SHARE_MS } from './transfer-shares.ts'
import type { TransferPort, TransfersDeps } from './transfers.deps.ts'
import { transferEndpoints } from './transfers.routes.ts'
import { type OuterPort, outerPort } from './transfers.service.ts'
import { TRANSFER_SETTINGS, type TransferSettings } from './transfers.settings.ts'
import { transfersStore } from './transfers.store.ts'
import { sweepTransfers } from './transfers.sweep.ts'

export interface TransfersFeatureDeps {
  readonly files: FilesDeps
  readonly intake: IntakeApi
  readonly downloads: RunningDownloads
  readonly settings: Settings
  readonly clients: Pick<Clients, 'transfer'>
  readonly state: ServerState
  readonly licence: Pick<Licence, 'requireFeature'>
}

/** What the edge that opens the port is given. */
export interface Transfers {
  readonly door: TransferDoor
  readonly settings: () => Promise<TransferSettings>
  /** Says where clients connect to; undefined: nowhere. */
  opens(port: Promise<TransferPort | undefined>): void
  /** The transfer port as it is reached from outside; `host` is '' where it is the one of the server itself. */
  outerPort(): Promise<OuterPort | undefined>
}

const SWEEP_MS = 30_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const REPORTS = { name: 'transfers.reports', calls: 600, periodMs: 60_000 } as const
const TICKETS = { name: 'transfers.tickets', calls: 300, periodMs: 60_000 } as const

export function transfersFeature(kernel: Kernel, given: TransfersFeatureDeps): FeatureWith<Transfers> {
  const { files, intake, downloads, settings, clients, state, licence } = given
  const deps: TransfersDeps = {
    ...kernel,
    ...{ files, downloads, clients, state, licence, intake: intake.deps },
    clientSettings: () => settings.of(CLIENT_SETTINGS),
    waysOf: (member) => transferRulesOf({ ...kernel, settings }, member),
    rulesOf: (userId, place) => placeRulesOf({ ...kernel, settings }, userId, place),
    defaultSpaceOf: async (userId) => (await ownSpacesOf({ ...kernel, settings }, userId)).defaultSpaceId,
    ticketLimit: kernel.limits.callLimit(TICKETS),
    reportLimit: kernel.limits.callLimit(REPORTS),
  }
  const runs = new TransferRuns(deps)
  const books = new TransferBooks({ ...kernel, lifeMs: intake.deps.limits.grantMs })
  const history = new TransferHistory(deps, books)
  intake.deps.traffic.follow(books)
  downloads.traffic.follow(books)
  let port: Promise<TransferPort | undefined> = Promise.resolve(undefined)
  return defineFeature({
    name: 'transfers',
    api: {
      door: createTransferDoor(deps, runs),
      settings: () => settings.of(TRANSFER_SETTINGS),
      opens: (opening) => void (port = opening),
      async outerPort() {
        const opened = await port
        return opened && outerPort(deps, opened)
      },
    },
    settings: TRANSFER_SETTINGS,
    endpoints: [
      ...transferEndpoints({ ...deps, runs, history, port: () => port }),
      ...consoleEndpoints({ ...deps, runs, history }, kernel),
      ...deviceEndpoints(deps),
    ],
    push: [
      push('transfer.changed', {
        signal: 'transfer.changed',
        to: ({ userId }) => userId,
        message: ({ transfer }) => ({ transfer }),
      }),
    ],
    every: [
      { name: 'transfers.write', everyMs: WRITE_MS, work: () => history.write() },
      { name: 'transfers.share', everyMs: SHARE_MS, work: async () => runs.share() },
      { name: 'transfers.recheck', everyMs: RECHECK_MS, work: () => runs.recheck() },
      { name: 'transfers.forget', everyMs: HOUR_MS, onOneNode: true, work: () => forget(deps, settings) },
      { name: 'transfers.sweep', everyMs: SWEEP_MS, onOneNode: true, work: () => sweepTransfers(deps) },
    ],
    stop: async () => {
      await runs.stop()
      await history.write()
    },
  })
}

/** Removes transfers that ended longer ago than the site keeps them. */
async function forget({ db, clock }: TransfersDeps, settings: Settings): Promise<void> {
  const { 'log.transferDays': days } = await settings.of(TRANSFER_SETTINGS)
  if (days === 0) return
  while ((await transfersStore.forget(db, clock.now() - days * DAY_MS)) > 0);
}
