import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { basename, resolve } from 'node:path'
import { systemClock } from '@godwit/base'
import { sendFiles, startDiskSource, type FileFailure, type TransferResult } from '@godwit/transfer'
import { threadCpu } from '@godwit/transfer/cli'
import { connectToPort } from '../transfers/connect.ts'
import { untilDone } from '../transfers/until-done.ts'
import { type Context, signedIn, UsageError } from './context.ts'
import { linkOf, report, reportEnd, reportRetry } from './transfer-output.ts'

/** godwit-client up PATH... FOLDER */
export async function up(context: Context): Promise<number> {
  const { words, options, output, profiles, signal } = context
  const folder = words.at(-1)
  const roots = words.slice(0, -1).map((path) => resolve(path))
  const [first] = roots
  if (folder === undefined || first === undefined) throw new UsageError('up needs at least one path and a folder')
  const { spaceId, groupId } = options
  const { profile, api } = await signedIn(context)
  const task = JSON.stringify(['up', hostname(), profile.server, spaceId, groupId, folder, ...roots])
  const name = roots.length === 1 ? basename(first) : `${basename(first)} (+${roots.length - 1})`
  const { exclude, maxBytes: maxSize } = await api.filterOf({ spaceId, groupId })
  const filter = { exclude, ...(maxSize === undefined ? {} : { maxSize }) }
  const startedAt = systemClock.monotonic()
  const result = await untilDone({
    ...{ task, api, profiles, signal },
    newTicket: () => api.uploadTicket({ spaceId, groupId, folder, name }),
    onRetry: (reason) => reportRetry(output, reason),
    async run(ticket, attempt): Promise<TransferResult> {
      const skipped: FileFailure[] = []
      const scan = { roots, filter: { include: [], ...filter }, links: false }
      const source = startDiskSource(scan, () => systemClock.monotonic())
      try {
        const channel = await connectToPort(ticket, linkOf(context, profile))
        const reported = report(output, attempt)
        const events = {
          ...reported,
          fileSkipped(one: FileFailure) {
            skipped.push(one)
            reported.fileFailed?.(one)
          },
        }
        const nowMs = (): number => systemClock.monotonic()
        const sending = sendFiles(
          { channel, source, nowMs, cpu: threadCpu, events },
          { taskId: taskIdOf(task), hash: 'blake3', signal },
        )
        const sent = await sending.result
        return { ...sent, failures: [...sent.failures, ...skipped] }
      } finally {
        await source.close()
      }
    },
  })
  return reportEnd(output, result, systemClock.monotonic() - startedAt)
}

/** The same paths from the same machine to the same folder are the same task. */
function taskIdOf(task: string): Uint8Array {
  return createHash('sha256').update(task).digest().subarray(0, 16)
}
