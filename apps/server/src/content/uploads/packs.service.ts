import { createHash } from 'node:crypto'
import type { UploadState } from '@godwit/contract'
import { errorText } from '@godwit/i18n'
import type { ByteSource } from '@godwit/storage'
import { storageError } from '../../foundation/storages/index.ts'
import { nameOf, type PlaceIds } from '../access/index.ts'
import { requireSize, targetResolver, type Intake, type SmallFile } from '../intake/index.ts'
import { rootOfBytes } from '../tree-hashes/index.ts'
import { failureFields, type Log, type UploaderCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { readFrames, type PackFrame } from './pack-frames.ts'
import type { PackMemory } from './pack-memory.ts'

/** What receiving packs needs. */
export interface PackDeps {
  readonly intake: Intake
  readonly memory: PackMemory
  readonly log: Log
}

export interface PackRequest extends PlaceIds {
  readonly folder: string
  /** The transfer that its sender says it belongs to. */
  readonly transferId?: string | undefined
  readonly source: ByteSource
  /** Announced bytes of the body; undefined when the sender did not say. */
  readonly length: number | undefined
  readonly signal: AbortSignal
}

export interface PackResult {
  readonly relativePath: string
  readonly code: number
  readonly message: string
  readonly state: UploadState
  readonly path: string
  readonly hash: string
}

/** A file of the pack on its way. */
interface Item {
  readonly frame: PackFrame
  hash: string
  path: string
  state: UploadState
  error: AppError | undefined
}

/**
 * Receives many small files; each is committed or refused by itself.
 * @throws AppError UPLOAD_PART_INVALID when the frames are malformed: nothing was written then
 */
export async function receivePack(deps: PackDeps, ctx: UploaderCtx, request: PackRequest): Promise<PackResult[]> {
  const { length, signal } = request
  return deps.memory.run({ userId: ctx.principal.id, length, signal }, (inTime) =>
    storePack(deps, ctx, { ...request, signal: inTime }),
  )
}

async function storePack(deps: PackDeps, ctx: UploaderCtx, request: PackRequest): Promise<PackResult[]> {
  const frames = await readFrames(request.source, request)
  const items = frames.map((frame): Item => ({ frame, hash: '', path: '', state: 'open', error: undefined }))
  const prepared = await prepareAll(deps, ctx, { items, request })
  const files = prepared.map(({ file }) => file)
  const outcomes = await deps.intake.storeSmallFiles(ctx, { files, transferId: request.transferId })
  for (const [index, { item }] of prepared.entries()) {
    const outcome = outcomes[index]
    if (outcome === undefined) continue
    Object.assign(item, { state: outcome.state, path: outcome.target.path, error: outcome.error })
  }
  return items.map((item) => present(deps, ctx, item))
}

interface Preparing {
  readonly items: readonly Item[]
  readonly request: PackRequest
}

/** Those that may be stored, with target and hash; the others fail by themselves. */
async function prepareAll(deps: PackDeps, ctx: UploaderCtx, { items, request }: Preparing) {
  const targetOf = targetResolver(deps.intake.files, ctx, request)
  const prepared: Array<{ readonly item: Item; readonly file: SmallFile }> = []
  for (const item of items) {
    try {
      const file = await prepare(deps, item, targetOf)
      await requireAsked(deps, ctx, file)
      // What a guest sends replaces nothing, and learns nothing of what is there.
      prepared.push({ item, file: ctx.principal.kind === 'guest' ? { ...file, conflict: 'keep-both' } : file })
    } catch (thrown) {
      item.error = storageError(thrown)
      item.state = 'failed'
    }
  }
  return prepared
}

/** @throws AppError UPLOAD_TOO_LARGE, UPLOAD_HASH_MISMATCH, and as targetResolver() */
async function prepare(deps: PackDeps, item: Item, targetOf: ReturnType<typeof targetResolver>): Promise<SmallFile> {
  const { relativePath, hash, content, lastModified, conflict } = item.frame
  requireSize(deps.intake.limits, content.length)
  item.hash = rootOfBytes(content)
  if (hash !== undefined && hash !== item.hash) throw new AppError('UPLOAD_HASH_MISMATCH', { hash: item.hash })
  const target = await targetOf({ filename: '', relativePath })
  item.path = target.path
  return { target, content, hash: item.hash, modifiedMs: lastModified, conflict }
}

/** What a guest sends is what the owner of the link asks for. @throws AppError as Access.expectedOf(), LINK_FILE_CHECKSUM */
async function requireAsked({ intake }: PackDeps, { principal }: UploaderCtx, file: SmallFile): Promise<void> {
  if (principal.kind !== 'guest') return
  const { target, content } = file
  const sha256 = await intake.files.access.expectedOf(principal, {
    name: nameOf(target),
    size: content.length,
    isWhole: true,
  })
  if (sha256 !== '' && createHash('sha256').update(content).digest('hex') !== sha256)
    throw new AppError('LINK_FILE_CHECKSUM')
}

function present({ log }: PackDeps, ctx: UploaderCtx, { frame, path, hash, state, error }: Item): PackResult {
  const base = { relativePath: frame.relativePath, state, path, hash }
  if (error === undefined) return { ...base, code: 200, message: '' }
  if (error.status >= 500) log.error(failureFields(ctx, error), 'a file of a pack was not stored')
  return { ...base, hash: '', code: error.wire, message: errorText(ctx.locale, error.code, error.details) }
}
