import type { Clock } from '@godwit/base'
import type { ServerState } from '../../foundation/server-state/index.ts'
import type { Settings } from '../../foundation/settings/index.ts'
import type { Sessions } from '../../identity/auth/index.ts'
import { createTickets } from '../../identity/tickets/index.ts'
import type { Source } from '@godwit/transfer/endpoints'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import { everyPace, type AccountSpeeds, type Pace } from '../account-speeds/index.ts'
import type { FilesDeps } from '../files/index.ts'
import { Traffic } from '../traffic/index.ts'
import { downloadEndpoints, downloadOperations, downloadRawEndpoints } from './downloads.routes.ts'
import { createDownloadReports } from './downloads.events.ts'
import { checksumLanes } from './archive-checksums.ts'
import { countingSender, createSender, cutWhenStalled, pacedSender, type SendExchange } from './downloads.send.ts'
import {
  findAll,
  openNow,
  openAgain,
  requireBegin,
  sendContent,
  sendFile,
  sendSelection,
  type DownloadsDeps,
  type Exchange,
  type Selection,
  type SingleFile,
  type Wanted,
} from './downloads.service.ts'
import { forgetArchives, HOUR_MS, MOST_ENTRIES } from './downloads.zips.ts'
import { webTransfers } from '../spaces/index.ts'
import { createRunning, RECHECK_MS } from './running.ts'
import { storageSource } from './storage-source.ts'

export interface DownloadsFeatureDeps {
  readonly files: FilesDeps
  readonly sessions: Sessions
  readonly speeds: AccountSpeeds
  readonly settings: Pick<Settings, 'of'>
  readonly state: ServerState
}

/** Sends files for other features under the rules of a download: its bound on memory, and an end with the session or the right. */
export interface RunningDownloads extends Pick<DownloadsDeps, 'renew' | 'traffic'> {
  send(
    wanted: Pick<Wanted, 'principal' | 'place' | 'paths'>,
    file: SingleFile,
    exchange: Pick<Exchange, 'req' | 'res' | 'signal'>,
  ): Promise<void>
  /** A caller's own file or folder, as the plain link to it sends it. */
  fetch(wanted: Wanted, exchange: Exchange): Promise<void>
  /**
   * Sends what a feature opened for a caller of its own. When it ends is the feature's to say, by the signal.
   * @param onChunk is called with the length of every chunk of content before it leaves
   */
  sendOpened(selection: Selection, exchange: SendExchange, onChunk: (bytes: number) => void): Promise<void>
  /**
   * Opens entries as the source of a transfer by a client. The caller renews it, and ends it with the right.
   * @throws AppError PATH_NOT_FOUND, PERMISSION_DENIED
   */
  openSource(wanted: WantedSource): Promise<OpenedSource>
  /** The same for one file that a page shows. */
  sendShown(file: SingleFile, exchange: Pick<Exchange, 'req' | 'res' | 'signal'>): Promise<void>
}

interface WantedSource extends Omit<Wanted, 'seen'> {
  /** A limit of this transfer alone; that of the account counts anyway. */
  readonly pace?: Pace
}

interface OpenedSource {
  readonly source: Source
  /** Goes on with the rights of now. @throws AppError PATH_NOT_FOUND, PERMISSION_DENIED for what may be downloaded no longer */
  renew(principal: AccountPrincipal): Promise<void>
  /** Emits `file.downloaded`; to be called before the first byte leaves. */
  report(): Promise<void>
  /** What the account may receive now; Infinity without a limit. */
  limitBitsPerSecond(): number
}

async function openSource(
  deps: DownloadsDeps & Pick<DownloadsFeatureDeps, 'speeds'>,
  clock: Clock,
  wanted: WantedSource,
): Promise<OpenedSource> {
  const found = await findAll(deps, wanted)
  const { principal, pace, place } = wanted
  const ofAccount = deps.speeds.paceOf(principal, 'download', place)
  const source = storageSource(found, clock, everyPace(ofAccount, pace))
  return {
    source,
    renew: async (now) => source.renew(await openAgain(deps, { ...wanted, principal: now }, found)),
    limitBitsPerSecond: () => deps.speeds.limitOf(principal, 'download', place),
    report: () => deps.report({ principal, door: 'transfer', found, start: 0 }),
  }
}

function depsOf(kernel: Kernel, given: DownloadsFeatureDeps): DownloadsDeps {
  const { files, sessions, speeds, settings, state } = given
  const renew: DownloadsDeps['renew'] = (principal) => sessions.renew(principal)
  return {
    ...{ files, speeds, state, requireWeb: webTransfers({ ...kernel, settings }) },
    renew,
    report: createDownloadReports(kernel),
    sender: createSender(kernel.clock, kernel.metrics.downloaded),
    tickets: createTickets(kernel, { purpose: 'download', renew }),
    traffic: new Traffic(),
    zips: { db: kernel.db, clock: kernel.clock, lanes: checksumLanes(), mostEntries: MOST_ENTRIES },
  }
}

export function downloadsFeature(kernel: Kernel, given: DownloadsFeatureDeps): FeatureWith<RunningDownloads> {
  const { sessions, speeds, state } = given
  const deps = depsOf(kernel, given)
  const running = createRunning({
    ...kernel,
    renew: deps.renew,
    openNow: (asked) => openNow(deps, asked),
    keepAlive: (sessionId) => sessions.keepAlive(sessionId),
  })
  return defineFeature({
    name: 'downloads',
    api: {
      renew: deps.renew,
      traffic: deps.traffic,
      async send(wanted, file, exchange) {
        cutWhenStalled(exchange.res)
        const { signal, end } = running.begin(wanted, exchange.signal)
        try {
          const sender = pacedSender(deps.sender, speeds.paceOf(wanted.principal, 'download', wanted.place))
          await sendFile({ sender }, file, { ...exchange, signal })
        } finally {
          end()
        }
      },
      async fetch(wanted, exchange) {
        const { end, ...way } = running.begin(wanted, exchange.signal)
        try {
          await sendContent(deps, wanted, { ...exchange, ...way })
        } finally {
          end()
        }
      },
      async sendOpened(selection, exchange, onChunk) {
        requireBegin(state, exchange.req)
        const [first] = selection.found
        const pace = first && speeds.paceOfPlace('download', first.location.place)
        const sender = pace === undefined ? deps.sender : pacedSender(deps.sender, pace)
        return sendSelection({ ...deps, sender: countingSender(sender, onChunk) }, selection, exchange)
      },
      openSource: (wanted) => openSource({ ...deps, speeds }, kernel.clock, wanted),
      sendShown(file, exchange) {
        cutWhenStalled(exchange.res)
        return sendFile(deps, file, exchange)
      },
    },
    endpoints: downloadEndpoints(deps),
    operations: downloadOperations(deps),
    raw: downloadRawEndpoints({ ...deps, running }),
    every: [
      { name: 'recheck', everyMs: RECHECK_MS, work: () => running.recheck() },
      { name: 'archives', everyMs: HOUR_MS, onOneNode: true, work: () => forgetArchives(deps.zips) },
    ],
  })
}
