import { MiB, systemClock } from '@godwit/base'
import { diskTarget, receiveFiles, startDiskThread, type TransferResult } from '@godwit/transfer'
import { threadCpu } from '@godwit/transfer/cli'
import type { Profile } from '../profiles/profile.ts'
import type { PlaceIds } from '../server-link/api.ts'
import { connectToPort } from './connect.ts'
import { untilDone } from './until-done.ts'
import type { TransferParts } from './upload.ts'

/** What a fast, long line may take beyond the first window. */
const WINDOW_GROWTH = 80 * MiB

export interface Download extends PlaceIds {
  readonly paths: readonly string[]
  /** Absolute path of the local folder that takes them. */
  readonly root: string
}

export function downloadTask({ server }: Profile, { paths, root, spaceId, groupId }: Download): string {
  return JSON.stringify(['down', server, spaceId, groupId, root, ...paths])
}

/** Fetches files and folders, over lost connections. @throws TransferError, ApiError, RefusedError */
export function runDownload(parts: TransferParts, download: Download): Promise<TransferResult> {
  const { api, link, kept, profile } = parts
  const { paths, root, spaceId, groupId } = download
  const { signal } = link
  return untilDone({
    ...{ api, kept, signal, onRetry: parts.onRetry, deadline: parts.deadline, task: downloadTask(profile, download) },
    newTicket: () => api.downloadTicket({ spaceId, groupId, paths }),
    async run(ticket, attempt): Promise<TransferResult> {
      const thread = startDiskThread('write')
      const target = diskTarget(thread.call, root, { permissions: false, links: false, holes: false })
      try {
        const channel = await connectToPort(ticket, link)
        const nowMs = (): number => systemClock.monotonic()
        const receiving = receiveFiles(
          { channel, target, nowMs, cpu: threadCpu, events: parts.eventsOf(attempt) },
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
}
