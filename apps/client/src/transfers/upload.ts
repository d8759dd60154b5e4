import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { systemClock } from '@godwit/base'
import {
  type EngineEvents,
  type ExistingPolicy,
  type FileFailure,
  sendFiles,
  type Source,
  startDiskSource,
  type TransferResult,
  type Verdict,
} from '@godwit/transfer'
import type { FilterRules } from '@godwit/transfer/filter'
import { threadCpu } from '@godwit/transfer/cli'
import type { KeptTransfers, Profile } from '../profiles/profile.ts'
import type { Api, PlaceIds, Ticket } from '../server-link/api.ts'
import { filterOfRules } from '../server-link/upload-filter.ts'
import { connectToPort, type Link } from './connect.ts'
import { type Attempt, untilDone } from './until-done.ts'
import { uploadName } from './upload-name.ts'

export interface TransferParts {
  readonly profile: Profile
  readonly api: Api
  readonly link: Link
  readonly kept: KeptTransfers
  readonly eventsOf: (attempt: Attempt) => EngineEvents
  readonly onRetry: (reason: string) => void
  /** When it is to have arrived, Unix milliseconds. */
  readonly deadline?: number
  /** Attempts in a row without progress before it is given up; undefined: as many as a command makes. */
  readonly maxIdleTries?: number
  /** Where the place was taken for granted. @throws before the first byte when it is another one */
  readonly confirm?: ((ticket: Ticket) => Promise<void>) | undefined
}

/** An upload is also told what this computer leaves out of it. */
export interface UploadParts extends TransferParts {
  readonly exclude: readonly string[]
  /** The account may have no filters of its own: they are not used. @throws where they must not be passed over */
  readonly onLocked: () => void
  readonly rules?: UploadRules
}

/** How an upload differs from one that asks nobody. */
export interface UploadRules {
  /** Sets its task apart from others of the same files. */
  readonly part: string
  readonly existing: ExistingPolicy
  /** What of the files it takes, and under which names. */
  readonly adapt: (source: Source) => Source
  /** The file at this path is not the same, and stays. */
  readonly onExisting: (path: string) => void
}

export interface Upload extends PlaceIds {
  /** Absolute paths of this computer. */
  readonly roots: readonly string[]
  readonly folder: string
  /** It comes from a folder that a page keeps in sync. */
  readonly isSync?: boolean
}

/** The same paths from the same machine to the same folder are the same task. */
export function uploadTask({ server }: Profile, { roots, folder, spaceId, groupId }: Upload): string {
  return JSON.stringify(['up', hostname(), server, spaceId, groupId, folder, ...roots])
}

/** Sends files and folders, over lost connections. @throws TransferError, ApiError, RefusedError */
export async function runUpload(parts: UploadParts, upload: Upload): Promise<TransferResult> {
  const { api, link, kept, profile, rules } = parts
  const { roots, folder, spaceId, groupId, isSync = false } = upload
  const task = uploadTask(profile, upload) + (rules?.part ?? '')
  // What this computer leaves out may not be allowed, which is refused before there is a transfer.
  const ahead = parts.exclude.length > 0 ? await filterFor(parts, upload) : undefined
  return untilDone({
    ...{ task, api, kept, signal: link.signal, onRetry: parts.onRetry },
    ...{ deadline: parts.deadline, maxIdleTries: parts.maxIdleTries, confirm: parts.confirm },
    newTicket: () => api.uploadTicket({ ...{ spaceId, groupId, folder, isSync }, name: uploadName(roots) }),
    async run(ticket, attempt): Promise<TransferResult> {
      const skipped: FileFailure[] = []
      const { filter, skipsSameName } = ahead ?? (await filterFor(parts, upload, ticket))
      const disk = startDiskSource({ roots, filter, links: false }, nowMs)
      const source = rules?.adapt(disk) ?? disk
      try {
        const channel = await connectToPort(ticket, link)
        channel.setPolicy({ kind: POLICIES[ticket.transfer.priority] })
        const reported = parts.eventsOf(attempt)
        const events = {
          ...reported,
          fileSkipped(one: FileFailure) {
            skipped.push(one)
            reported.fileFailed?.(one)
          },
          verdict(path: string, verdict: Verdict) {
            if (verdict === 'existing' && !skipsSameName) rules?.onExisting(path)
          },
        }
        const sending = sendFiles(
          { channel, source, nowMs, cpu: threadCpu, events },
          {
            ...{ taskId: taskIdOf(task), hash: 'blake3', signal: link.signal },
            existing: skipsSameName ? 'keep-existing' : (rules?.existing ?? 'keep-newer'),
          },
        )
        const sent = await sending.result
        return { ...sent, failures: [...sent.failures, ...skipped] }
      } finally {
        await source.close()
      }
    },
  })
}

/** What is left out: what the account or group says, and what this computer says where it may. */
export async function filterFor(
  { api, exclude: own, onLocked }: Pick<UploadParts, 'api' | 'exclude' | 'onLocked'>,
  { spaceId, groupId }: Upload,
  ticket?: Ticket,
): Promise<{ readonly filter: FilterRules; readonly skipsSameName: boolean }> {
  const filterOf = (rules: Ticket['rules']) => (rules ? filterOfRules(rules) : api.filterOf({ spaceId, groupId }))
  const { exclude, maxBytes: maxSize, skipsSameName, isLocked } = await filterOf(ticket?.rules)
  if (isLocked && own.length > 0) onLocked()
  const filter = {
    include: [],
    exclude: isLocked ? exclude : [...exclude, ...own],
    ...(maxSize === undefined ? {} : { maxSize }),
  }
  return { filter, skipsSameName }
}

/** How the sender shares the line, by the priority that its person or an administrator gave. */
const POLICIES = { low: 'low', normal: 'fair', high: 'high' } as const

function nowMs(): number {
  return systemClock.monotonic()
}

function taskIdOf(task: string): Uint8Array {
  return createHash('sha256').update(task).digest().subarray(0, 16)
}
