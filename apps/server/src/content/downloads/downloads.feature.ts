import type { Sessions } from '../../identity/auth/index.ts'
import { createTickets } from '../../identity/tickets/index.ts'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { FilesDeps } from '../files/index.ts'
import { downloadEndpoints, downloadOperations, downloadRawEndpoints } from './downloads.routes.ts'
import { createDownloadReports } from './downloads.events.ts'
import { createSender, cutWhenStalled } from './downloads.send.ts'
import {
  mayDownload,
  sendFile,
  type DownloadsDeps,
  type Exchange,
  type SingleFile,
  type Wanted,
} from './downloads.service.ts'
import { createRunning, RECHECK_MS } from './running.ts'

export interface DownloadsFeatureDeps {
  readonly files: FilesDeps
  readonly sessions: Sessions
}

/** Sends files for other features under the rules of a download: its bound on memory, and an end with the session or the right. */
export interface RunningDownloads extends Pick<DownloadsDeps, 'renew'> {
  send(
    wanted: Pick<Wanted, 'principal' | 'place'>,
    file: SingleFile,
    exchange: Pick<Exchange, 'req' | 'res' | 'signal'>,
  ): Promise<void>
}

export function downloadsFeature(
  kernel: Kernel,
  { files, sessions }: DownloadsFeatureDeps,
): FeatureWith<RunningDownloads> {
  const deps: DownloadsDeps = {
    files,
    renew: (principal) => sessions.renew(principal),
    report: createDownloadReports(kernel),
    sender: createSender(kernel.clock),
    tickets: createTickets(kernel),
  }
  const running = createRunning({
    ...kernel,
    renew: deps.renew,
    mayDownload: (principal, place) => mayDownload(deps, principal, place),
    keepAlive: (sessionId) => sessions.keepAlive(sessionId),
  })
  return defineFeature({
    name: 'downloads',
    api: {
      renew: deps.renew,
      async send(wanted, file, exchange) {
        cutWhenStalled(exchange.res)
        const { signal, end } = running.begin(wanted, exchange.signal)
        try {
          await sendFile(deps, file, { ...exchange, signal })
        } finally {
          end()
        }
      },
    },
    endpoints: downloadEndpoints(deps),
    operations: downloadOperations(deps),
    raw: downloadRawEndpoints({ ...deps, running }),
    every: [{ name: 'recheck', everyMs: RECHECK_MS, work: () => running.recheck() }],
  })
}
