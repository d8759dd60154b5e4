import type { ConflictPolicy, OperationReply } from '@godwit/contract'
import type { UserCtx } from '../../../kernel/context.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Principal } from '../../../kernel/principal.ts'
import {
  find,
  isWithin,
  nameOf,
  newName,
  placeAt,
  placeOf,
  requireEntry,
  requireFolder,
  within,
  type Location,
  type Place,
  type PlaceIds,
} from '../../access/index.ts'
import { limitsOf, startFileJob, type FileJobsDeps, type JobLimits } from './job-deps.ts'
import { NO_PROGRESS, presentJob } from './job-views.ts'
import type { Made } from './made.ts'
import { seenAs } from './seen.ts'

export interface TransferRequest extends PlaceIds {
  readonly paths: readonly string[]
  readonly target: string
  /** Place of the target; absent: that of the paths. */
  readonly targetGroupId?: number | undefined
  /** The name of the only path at its target; absent: its own. */
  readonly as?: string
  readonly conflict: ConflictPolicy
  /** Takes an earlier move back: where each of the paths was. */
  readonly back?: readonly Back[]
  /** Folders that are made again for it, each after the one that it is in. */
  readonly remade?: readonly string[]
  /** A path of the place that what was in them had gone to. */
  readonly remadeFrom?: string
}

/** An entry that goes back: the name and folder it had, what it was then, and what it had replaced. */
export interface Back extends Pick<Made, 'seen' | 'versionId' | 'older'> {
  readonly name: string
  /** Jobs of earlier versions have one folder for all, their target, and look into no folder. */
  readonly folder?: string
  readonly tree?: string
}

/** What a copy or move keeps with its job. */
export interface TransferPayload extends TransferRequest, JobLimits {
  /** What stood at each of the paths, see seen.ts. */
  readonly seen: readonly string[]
  /** Paths done; the next run goes on here. */
  readonly done: number
  /** The folder that is being filled, entry by entry, for the path at this place. */
  readonly filling?: { readonly at: number; readonly name: string }
  /** Whether it notes all that it makes; jobs of earlier versions do not. */
  readonly isNoted?: true
  /** Whoever started it may not take back what it brings there. */
  readonly isOneWay?: true
}

/**
 * Starts a copy or move. What can be refused at once is refused before anything is touched.
 * @throws AppError PATH_NOT_FOUND, PATH_EXISTS, TARGET_INSIDE_SOURCE, PERMISSION_DENIED
 */
export async function startTransfer(
  deps: FileJobsDeps,
  ctx: UserCtx,
  { kind, request }: { readonly kind: 'copy' | 'move'; readonly request: TransferRequest },
): Promise<OperationReply<'copy'>> {
  const { access } = deps.files
  const place = placeOf(request)
  const { as } = request
  if (as !== undefined) newName(as)
  const seen: string[] = []
  let isOneWay = false
  for (const path of request.paths) {
    const needs = needsOf(kind, request, isAcross(ctx.principal, request, path))
    const folder = await requireFolder(await access.open(ctx, targetOf(request), request.target, needs.here.file))
    const { location, entry } = await requireEntry(await access.open(ctx, place, path, needs.source))
    if (entry.kind === 'folder') location.require(needs.sourceFolder)
    requireMovable(location, folder)
    isOneWay ||= !folder.permits(kind === 'copy' ? 'delete' : needs.source)
    seen.push(seenAs(entry))
    const name = as ?? nameOf(location)
    if (request.conflict === 'fail' && !(kind === 'move' && location.key === within(folder, name).key)) {
      const taken = await find(within(folder, name))
      if (taken) throw new AppError('PATH_EXISTS', { name })
    }
  }
  const payload: TransferPayload = {
    ...request,
    ...limitsOf(ctx),
    seen,
    done: 0,
    isNoted: true,
    ...(isOneWay ? { isOneWay } : {}),
  }
  const job = await startFileJob(deps, { kind, ownerId: ctx.principal.id, payload, progress: NO_PROGRESS })
  return { job: presentJob(job, ctx.locale) }
}

/** What is asked of the source, and of a name in the target folder. */
const NEEDS = {
  within: {
    copy: { source: 'copy', sourceFolder: 'copyFolder', here: { file: 'copyHere', folder: 'copyFolderHere' } },
    move: { source: 'move', sourceFolder: 'move', here: { file: 'moveHere', folder: 'moveHere' } },
    moveAs: { source: 'moveAs', sourceFolder: 'moveAs', here: { file: 'moveHereAs', folder: 'moveHereAs' } },
  },
  across: {
    copy: { source: 'copyOut', sourceFolder: 'copyOutFolder', here: { file: 'bringFile', folder: 'bringFolder' } },
    move: { source: 'moveOut', sourceFolder: 'moveOut', here: { file: 'bringFile', folder: 'bringFolder' } },
  },
} as const

export function needsOf(kind: 'copy' | 'move', { as }: TransferRequest, isOut: boolean) {
  if (isOut) return NEEDS.across[kind]
  return NEEDS.within[kind === 'move' && as !== undefined ? 'moveAs' : kind]
}

/** Whether a path goes to another place; a virtual directory is another one than the home it is in. */
export function isAcross(principal: Principal, request: TransferRequest, path: string): boolean {
  const { spaceId, groupId, target, targetGroupId = groupId } = request
  const [from, to] = [
    placeAt(principal, { spaceId, groupId }, path),
    placeAt(principal, { spaceId, groupId: targetGroupId }, target),
  ]
  return from.groupId !== to.groupId
}

export function targetOf({ spaceId, groupId, targetGroupId = groupId }: TransferRequest): Place {
  return placeOf({ spaceId, groupId: targetGroupId })
}

/** @throws AppError TARGET_INSIDE_SOURCE, PARAMETER_INVALID for the root */
export function requireMovable(source: Location, folder: Location): void {
  if (source.isRoot && !source.isMount) throw new AppError('PARAMETER_INVALID', { field: 'paths' })
  if (isWithin(folder, source)) throw new AppError('TARGET_INSIDE_SOURCE')
}
