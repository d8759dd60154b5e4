import type { Sessions } from '../../identity/auth/index.ts'
import { createTickets } from '../../identity/tickets/index.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { FilesDeps } from '../files/index.ts'
import { downloadEndpoints, downloadOperations, downloadRawEndpoints } from './downloads.routes.ts'
import { createDownloadReports } from './downloads.events.ts'
import { createSender } from './downloads.send.ts'
import { mayDownload, type DownloadsDeps } from './downloads.service.ts'
import { createRunning, RECHECK_MS } from './running.ts'

export interface DownloadsFeatureDeps {
  readonly files: FilesDeps
  readonly sessions: Sessions
}

export function downloadsFeature(kernel: Kernel, { files, sessions }: DownloadsFeatureDeps): Feature {
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
    endpoints: downloadEndpoints(deps),
    operations: downloadOperations(deps),
    raw: downloadRawEndpoints({ ...deps, running }),
    every: [{ name: 'recheck', everyMs: RECHECK_MS, work: () => running.recheck() }],
  })
}
