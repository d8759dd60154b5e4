import type { ConflictPolicy } from '@godwit/contract'
import { withAppErrors } from '../../foundation/storages/index.ts'
import { clashOf, requireNoClash } from '../files/index.ts'
import { folderOf, nameOf, type Location } from '../access/index.ts'
import { originOf } from '../file-events/index.ts'
import type { UploaderCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { bucketOfRow } from './buckets.ts'
import { requireAskedFor } from './guest-files.ts'
import { LiveUpload } from './live-uploads.ts'
import { partSizeOf } from './part-plan.ts'
import type { IntakeDeps, UploadLimits } from './intake.deps.ts'
import { newGrant, type NewGrant } from './intake.grants.ts'
import type { UploadRow } from './intake.schema.ts'
import { uploadsStore } from './intake.store.ts'
import { UNRESUMED, UNRESUMED_MS } from './unresumed.ts'
import { beside, keepBothNames, resolveTarget, type WantedTarget } from './intake.targets.ts'

/**
 * How the bytes come; `put` is the one request of a guest without a browser. Partial uploads of a concatenation never become a
 * file by themselves.
 */
export type Carrier = 'transfer' | 'archive' | 'parts' | 'webdav' | 'put' | 'tus' | 'tus-partial' | 'tus-final'

export interface WantedUpload extends WantedTarget {
  /** Bytes; null until a sequential upload has declared it. */
  readonly size: number | null
  readonly conflict: ConflictPolicy
  /** Unix milliseconds of the source's last change. */
  readonly lastModified?: number | undefined
  readonly hash?: string | undefined
  readonly sha256?: string | undefined
  /** Go on with an unfinished upload of the same file. */
  readonly resume: boolean
  readonly partSize?: number | undefined
  readonly carrier: Carrier
  readonly metadata?: string
  /** Partial uploads that this one joins, in order. */
  readonly pieces?: readonly string[]
  /** The transfer that the caller says it belongs to. */
  readonly transferId?: string | undefined
}

export interface CreatedUpload {
  readonly live: LiveUpload
  /** Bearer credential for this upload alone. */
  readonly grant: string
  readonly resumed: boolean
}

/**
 * Begins an upload: target, quota and place in the storage are certain when it returns.
 * @throws AppError as resolveTarget(), and PATH_EXISTS, QUOTA_EXCEEDED, UPLOAD_TOO_LARGE, UPLOAD_SIZE_INVALID, STORAGE_FULL,
 * SERVER_PAUSED
 */
export async function createUpload(deps: IntakeDeps, ctx: UploaderCtx, wanted: WantedUpload): Promise<CreatedUpload> {
  deps.speeds.requireOpen()
  requireSize(deps.limits, wanted.size)
  if (ctx.door !== 'transfer') await deps.requireWeb(ctx.principal, wanted.spaceId)
  const named = await resolveTarget(deps.files, ctx, wanted)
  await requireAskedFor(deps, ctx.principal, { target: named, carrier: wanted.carrier, size: wanted.size })
  const target = await firstName(deps, named, wanted.conflict)
  const { kind, id } = ctx.principal
  const change = { key: target.key, what: 'content' } as const
  await deps.files.fileLocks.require(target.place.spaceId, [change], {
    userId: kind === 'guest' ? '' : id,
    door: ctx.door,
  })
  // Told now, and not after the bytes were sent: they cannot be read again before they are visible.
  if (wanted.sha256 !== undefined && !target.store.capabilities.readableUploads)
    throw new AppError('OPERATION_UNSUPPORTED')
  const grant = await newGrant(deps, ctx.principal)
  const found = wanted.resume ? await resumed(deps, ctx, { target, wanted, grant }) : undefined
  if (found !== undefined) return { live: found, grant: grant.grant, resumed: true }
  if (!GOING_ON.has(wanted.carrier)) await requireBegin(deps, ctx, wanted.transferId)
  const isSkipped = await meetsConflict(deps, target, wanted.conflict)
  const live = await begin(deps, ctx, { target, wanted, grant, isSkipped })
  return { live, grant: grant.grant, resumed: false }
}

/** Bytes that arrived already, work of the server itself, and transfers whose ticket is their beginning. */
const GOING_ON: ReadonlySet<Carrier> = new Set(['transfer', 'archive', 'tus-final'])

/**
 * Refuses what is new while the server is paused; the further files of a transfer that ran before go on.
 * @throws AppError SERVER_PAUSED
 */
export async function requireBegin(
  { state, traffic }: Pick<IntakeDeps, 'state' | 'traffic'>,
  { principal }: UploaderCtx,
  transferId: string | undefined,
): Promise<void> {
  const pausedAt = state.pausedAt()
  if (pausedAt === undefined) return
  if (transferId !== undefined && (await traffic.hasBegun(principal.id, { transferId, before: pausedAt }))) return
  state.requireOpen()
}

/** @throws AppError UPLOAD_SIZE_INVALID, UPLOAD_TOO_LARGE */
export function requireSize({ maxBytes }: UploadLimits, size: number | null): void {
  if (size === null) return
  if (!Number.isSafeInteger(size) || size < 0) throw new AppError('UPLOAD_SIZE_INVALID')
  if (maxBytes > 0 && size > maxBytes) throw new AppError('UPLOAD_TOO_LARGE', { maxBytes })
}

interface Begin {
  readonly target: Location
  readonly wanted: WantedUpload
  readonly grant: NewGrant
}

/** The visit of a guest; '' for an account. */
function visitOf({ principal }: UploaderCtx) {
  return principal.kind === 'guest' ? { linkId: principal.id, visitId: principal.visitId } : { linkId: '', visitId: '' }
}

async function resumed(deps: IntakeDeps, ctx: UploaderCtx, begin: Begin): Promise<LiveUpload | undefined> {
  const { target, wanted, grant } = begin
  if (wanted.size === null) return undefined
  const row = await uploadsStore.unfinishedOf(deps.db, {
    userId: ctx.ownerId ?? ctx.principal.id,
    ...visitOf(ctx),
    ...target.place,
    path: target.path,
    size: wanted.size,
    lastModified: wanted.lastModified ?? 0,
  })
  const live = row && row.expires_at > deps.clock.now() ? await deps.live.get(row.id) : undefined
  if (live === undefined) return undefined
  if (deps.leases.isShared) await deps.live.refreshSpans(live)
  const change = {
    ...grant.columns,
    conflict: wanted.conflict,
    declared_hash: wanted.hash ?? live.row.declared_hash,
    declared_sha256: wanted.sha256 ?? live.row.declared_sha256,
    origin: JSON.stringify(originOf(ctx)),
    ...(wanted.transferId === undefined ? {} : { transfer_id: transferOf(deps, ctx, { target, wanted }) }),
  }
  if (!(await uploadsStore.change(deps.db, live.id, { states: ['open'] }, change))) return undefined
  live.row = { ...live.row, ...change }
  live.target = target
  return live
}

/** Tells early what completion would find; the storage decides again then. @returns whether nothing need be sent */
async function meetsConflict(deps: IntakeDeps, target: Location, conflict: ConflictPolicy): Promise<boolean> {
  if (conflict === 'keep-both') return false
  const taken = await withAppErrors(() => target.store.stat(target.key))
  if (taken === undefined) {
    await requireNoClash(deps.files, target)
    return false
  }
  if (conflict === 'skip') return true
  if (conflict === 'fail' || taken.kind === 'folder') throw new AppError('PATH_EXISTS', { kind: taken.kind })
  target.require('replace')
  return false
}

/** Where a storage cannot complete under another name than it began with, keeping both chooses at the beginning. */
async function firstName(deps: IntakeDeps, target: Location, conflict: ConflictPolicy): Promise<Location> {
  if (conflict !== 'keep-both' || target.store.capabilities.retarget) return target
  for (const name of keepBothNames(nameOf(target))) {
    const candidate = beside(target, name)
    const taken = await withAppErrors(() => candidate.store.stat(candidate.key))
    if (taken === undefined && (await clashOf(deps.files, folderOf(candidate), name)) === undefined) return candidate
  }
  return target
}

/** Pieces of another upload, and what clients and jobs bring, are counted by others. */
const COUNTED_CARRIERS: ReadonlySet<Carrier> = new Set(['parts', 'webdav', 'put', 'tus', 'tus-final'])

/** The transfer that an upload counts in; '' for none. */
function transferOf({ traffic }: IntakeDeps, ctx: UploaderCtx, { target, wanted }: Pick<Begin, 'target' | 'wanted'>) {
  if (!COUNTED_CARRIERS.has(wanted.carrier)) return ''
  const { path, place } = target
  const { size, transferId } = wanted
  return traffic.begin(ctx, { direction: 'upload', ...place, path, files: 1, size, transferId })
}

async function begin(
  deps: IntakeDeps,
  ctx: UploaderCtx,
  { target, wanted, grant, isSkipped }: Begin & { readonly isSkipped: boolean },
): Promise<LiveUpload> {
  const { store, key } = target
  const partSize = partSizeOf(wanted.size, wanted.partSize ?? deps.limits.partBytes)
  const stored = isSkipped
    ? undefined
    : await withAppErrors(() => store.createUpload({ key, size: wanted.size, partSize }))
  const row: UploadRow = {
    id: deps.ids.next(),
    user_id: ctx.ownerId ?? ctx.principal.id,
    link_id: visitOf(ctx).linkId,
    visit_id: visitOf(ctx).visitId,
    ...grant.columns,
    state: isSkipped ? 'skipped' : 'open',
    carrier: wanted.carrier,
    space_id: target.place.spaceId,
    group_id: target.place.groupId,
    root_key: target.rootKey,
    path: target.path,
    conflict: wanted.conflict,
    size: wanted.size,
    part_size: stored?.partSize ?? partSize,
    last_modified: wanted.lastModified ?? 0,
    declared_hash: wanted.hash ?? null,
    declared_sha256: wanted.sha256 ?? null,
    metadata: wanted.metadata ?? '',
    pieces: wanted.pieces === undefined ? '' : JSON.stringify(wanted.pieces),
    store_upload: stored === undefined ? '' : JSON.stringify(stored),
    reserved_bytes: isSkipped ? 0 : (wanted.size ?? 0),
    fence: 0,
    publishing: null,
    result: null,
    origin: JSON.stringify(originOf(ctx)),
    transfer_id: isSkipped ? '' : transferOf(deps, ctx, { target, wanted }),
    created_at: deps.clock.now(),
    expires_at: deps.clock.now() + (UNRESUMED.has(wanted.carrier) ? UNRESUMED_MS : deps.limits.grantMs),
  }
  try {
    await inTransaction(deps.db, async (tx) => {
      await deps.quotas.reserveBytes(tx, bucketOfRow(row), row.reserved_bytes)
      await uploadsStore.insert(tx, row)
    })
  } catch (thrown) {
    if (stored !== undefined) await store.abortUpload(stored)
    deps.traffic.end(row, { outcome: 'left', path: row.path })
    throw thrown
  }
  const live = new LiveUpload(row, store, [])
  live.target = target
  deps.live.add(live)
  return live
}
