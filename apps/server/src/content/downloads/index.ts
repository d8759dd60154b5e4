import type { Random } from '@godwit/base'
import type { FilesDeps } from '../files/index.ts'
import { createSender } from './downloads.send.ts'
import { createRunning, type RunningDeps } from './running.ts'
import type { DownloadsDeps } from './downloads.service.ts'
import type { Running } from './running.ts'
import { createTickets } from '../../identity/tickets/index.ts'

export { downloadEndpoints, downloadOperations, downloadRawEndpoints } from './downloads.routes.ts'

export function createDownloads(
  deps: { readonly files: FilesDeps; readonly random: Random } & Pick<RunningDeps, 'keepAlive' | 'renew'>,
): DownloadsDeps & { readonly running: Running } {
  const { files, random, keepAlive, renew } = deps
  return {
    files,
    renew,
    sender: createSender(files.clock),
    tickets: createTickets({ clock: files.clock, random, bus: files.bus }),
    running: createRunning({ bus: files.bus, log: files.log, keepAlive, renew }),
  }
}
