import { MiB, systemClock } from '@godwit/base'
import {
  diskTarget,
  type ExistingPolicy,
  receiveFiles,
  startDiskThread,
  type TransferResult,
  type Verdict,
} from '@godwit/transfer'
import { threadCpu } from '@godwit/transfer/cli'
import type { Profile } from '../profiles/profile.ts'
import type { PlaceIds } from '../server-link/api.ts'
import { renamingTarget } from './conflicts.ts'
import { connectToPort } from './connect.ts'
import { untilDone } from './until-done.ts'
import type { TransferParts } from './upload.ts'

/** What a fast, long line may take beyond the first window. */
const WINDOW_GROWTH = 80 * MiB

export interface Download extends PlaceIds {
  readonly paths: readonly string[]
  /** Absolute path of the local folder that takes them. */
  readonly root: string
  /** A page keeps the folder of the paths in sync. */
  readonly isSync?: boolean
}

/** How a download differs from one that asks nobody. */
export interface DownloadRules {
  readonly existingOf: (path: string) => ExistingPolicy
  /** New names beside files that stay. */
  readonly renamed: ReadonlyMap<string, string>
  /** The file at this path is not the same, and stays. */
  readonly onExisting: (path: string) => void
}

export interface DownloadParts extends TransferParts {
  readonly rules?: DownloadRules
}

export function downloadTask({ server }: Profile, { paths, root, spaceId, groupId }: Download): string {
  return JSON.stringify(['down', server, spaceId, groupId, root, ...paths])
}

/** Fetches files and folders, over lost connections. @throws TransferError, ApiError, RefusedError */
export function runDownload(parts: DownloadParts, download: Download): Promise<TransferResult> {
  const { api, link, kept, profile, rules } = parts
  const { root, ...wanted } = download
  const { signal } = link
  return untilDone({
    ...{ api, kept, signal, onRetry: parts.onRetry, task: downloadTask(profile, download) },
    ...{ deadline: parts.deadline, maxIdleTries: parts.maxIdleTries, confirm: parts.confirm },
    newTicket: () => api.downloadTicket(wanted),
    async run(ticket, attempt): Promise<TransferResult> {
      const thread = startDiskThread('write')
      const disk = diskTarget(thread.call, root, { permissions: false, links: false, holes: false })
      const target = renamingTarget(disk, rules?.renamed ?? new Map())
      try {
        const channel = await connectToPort(ticket, link)
        const nowMs = (): number => systemClock.monotonic()
        const events = {
          ...parts.eventsOf(attempt),
          verdict(path: string, verdict: Verdict) {
            if (verdict === 'existing') rules?.onExisting(path)
          },
        }
        const existing = rules === undefined ? {} : { existingOf: rules.existingOf }
        const receiving = receiveFiles(
          { channel, target, nowMs, cpu: threadCpu, events },
          { windowGrowth: () => WINDOW_GROWTH, signal, ...existing },
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
