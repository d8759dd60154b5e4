import { resolve } from 'node:path'
import { MiB, systemClock } from '@godwit/base'
import { diskTarget, receiveFiles, startDiskThread, type TransferResult } from '@godwit/transfer'
import { threadCpu } from '@godwit/transfer/cli'
import { connectToPort } from '../transfers/connect.ts'
import { untilDone } from '../transfers/until-done.ts'
import { type Context, signedIn, UsageError } from './context.ts'
import { linkOf, report, reportEnd, reportRetry } from './transfer-output.ts'

/** What a fast, long line may take beyond the first window. */
const WINDOW_GROWTH = 80 * MiB

/** godwit-client down PATH... FOLDER */
export async function down(context: Context): Promise<number> {
  const { words, options, output, profiles, signal } = context
  const last = words.at(-1)
  const paths = words.slice(0, -1)
  if (last === undefined || paths.length === 0) throw new UsageError('down needs at least one path and a local folder')
  const root = resolve(last)
  const { spaceId, groupId } = options
  const { profile, api } = await signedIn(context)
  const startedAt = systemClock.monotonic()
  const result = await untilDone({
    ...{ api, profiles, signal },
    task: JSON.stringify(['down', profile.server, spaceId, groupId, root, ...paths]),
    newTicket: () => api.downloadTicket({ spaceId, groupId, paths }),
    onRetry: (reason) => reportRetry(output, reason),
    async run(ticket, attempt): Promise<TransferResult> {
      const thread = startDiskThread('write')
      const target = diskTarget(thread.call, root, { permissions: false, links: false, holes: false })
      try {
        const channel = await connectToPort(ticket, linkOf(context, profile))
        const nowMs = (): number => systemClock.monotonic()
        const receiving = receiveFiles(
          { channel, target, nowMs, cpu: threadCpu, events: report(output, attempt) },
          { windowGrowth: WINDOW_GROWTH, signal },
        )
        try {
          return await receiving.result
        } finally {
          await receiving.yieldTo()
        }
      } finally {
        await thread.stop()
      }
    },
  })
  return reportEnd(output, result, systemClock.monotonic() - startedAt)
}
