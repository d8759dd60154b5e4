import type { ServerResponse } from 'node:http'
import { nameOf, newWithin, placeOf, requireNothingHidden, type Found, type Need } from '../../content/access/index.ts'
import {
  makeFolder,
  rename,
  requireTransferable,
  startTransfer,
  type TransferRequest,
} from '../../content/files/index.ts'
import type { RawExchange } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { answer, answerPaths, Refusal, statusOf } from './webdav.answers.ts'
import { hasBody } from './webdav.bodies.ts'
import { requireConditions } from './webdav.conditions.ts'
import type { WebdavDeps } from './webdav.deps.ts'
import { foundAt, placeholderAt, requireEntryNode, targetAt, type Asked, type Target } from './webdav.entries.ts'
import { storeSmall } from './webdav.small-put.ts'
import { outcomeOf, type JobFault } from './webdav.jobs.ts'
import { hrefOf, namesOfUrl } from './webdav.paths.ts'
import { nodeAt, type InPlace } from './webdav.tree.ts'

/** Makes a folder. @throws AppError, Refusal */
export async function makeCollection(deps: WebdavDeps, asked: Asked, { req, res }: RawExchange): Promise<void> {
  if (hasBody(req)) throw new AppError('CONTENT_TYPE_UNSUPPORTED')
  if (asked.node.kind === 'virtual' || asked.node.below.length === 0) throw new AppError('PATH_EXISTS')
  const { node } = asked
  const { found, location, name } = await targetAt(deps, asked.ctx, node, 'makeFolder')
  if (found !== undefined) throw new AppError('PATH_EXISTS')
  const { spaceId } = location.place
  await requireConditions(deps, asked, req, {
    spaceId,
    etag: undefined,
    changes: [{ key: location.key, what: 'member' }],
  })
  await makeFolder(deps.files, asked.ctx, { ...node.ids, folder: folderPath(node), name })
  answer(res, 201)
}

/** Deletes an entry, into the recycle bin. @throws AppError, Refusal */
export async function remove(deps: WebdavDeps, asked: Asked, { req, res }: RawExchange): Promise<void> {
  const node = requireEntryNode(asked)
  const depth = req.headers['depth'] ?? 'infinity'
  if (depth !== 'infinity' && depth !== '0') throw new AppError('PARAMETER_INVALID', { field: 'Depth' })
  const found = await foundAt(deps, asked.ctx, node, 'delete')
  if (found === undefined) return endPlaceholder(deps, asked, { node, res })
  const { location, entry } = found
  if (depth === '0' && entry.kind === 'folder') throw new AppError('PARAMETER_INVALID', { field: 'Depth' })
  await requireConditions(deps, asked, req, {
    spaceId: location.place.spaceId,
    etag: entry.etag,
    changes: [{ key: location.key, what: 'tree' }],
  })
  const faults = await recycle(deps, asked, node)
  answerOutcome(res, { asked, node, faults, status: 204 })
}

/** A name that was locked and never written goes with its lock. */
async function endPlaceholder(
  deps: WebdavDeps,
  { ctx }: Asked,
  { node, res }: { readonly node: InPlace; readonly res: ServerResponse },
): Promise<void> {
  const location = await deps.files.access.open(ctx, placeOf(node.ids), node.path, 'delete')
  const lock = await placeholderAt(deps, ctx, location)
  if (lock === undefined) throw new AppError('PATH_NOT_FOUND')
  if (!(await deps.files.fileLocks.release(lock.token, ctx.principal.id))) throw new AppError('FILE_LOCKED')
  answer(res, 204)
}

async function recycle(deps: WebdavDeps, asked: Asked, node: InPlace): Promise<JobFault[]> {
  const { job } = await deps.recycle.remove(asked.ctx, { ...node.ids, paths: [node.path] })
  return outcomeOf(deps, asked, job)
}

interface Transferring {
  readonly kind: 'copy' | 'move'
  readonly source: Found
  readonly from: InPlace
  readonly to: InPlace
}

/** Copies or moves an entry to `Destination`. @throws AppError, Refusal */
export async function transfer(
  deps: WebdavDeps,
  asked: Asked,
  { kind, exchange }: { readonly kind: 'copy' | 'move'; readonly exchange: RawExchange },
): Promise<void> {
  const { req, res } = exchange
  const { ctx } = asked
  const from = requireEntryNode(asked)
  const to = await destination(deps, asked, exchange)
  const depth = req.headers['depth'] ?? 'infinity'
  if (depth !== 'infinity' && (kind === 'move' || depth !== '0')) {
    throw new AppError('PARAMETER_INVALID', { field: 'Depth' })
  }
  const isAcross = to.ids.groupId !== from.ids.groupId
  if (to.ids.spaceId !== from.ids.spaceId) throw new Refusal(502, 'OPERATION_UNSUPPORTED')
  const need = needOf(kind, { isAcross, from, to })
  const source = await foundAt(deps, ctx, from, need)
  if (source === undefined) return movePlaceholder(deps, asked, { kind, need, to, exchange })
  const here = needThere({ kind, source, from, to }, isAcross)
  const target = await targetAt(deps, ctx, to, here)
  const isItself = target.found?.location.key === source.location.key
  if (isItself && target.name === nameOf(source.location)) throw new Refusal(403, 'PATH_EXISTS')
  if (target.found !== undefined && !isItself && isForbiddenToReplace(exchange)) {
    throw new Refusal(412, 'PATH_EXISTS')
  }
  const isMerging =
    target.found !== undefined && (target.found.entry.kind === 'folder' || source.entry.kind === 'folder')
  const targetKey = target.location.key
  await requireConditions(deps, asked, req, {
    spaceId: source.location.place.spaceId,
    etag: source.entry.etag,
    changes: [
      ...(kind === 'move' ? [{ key: source.location.key, what: 'tree' } as const] : []),
      { key: targetKey, what: target.found === undefined ? 'member' : isMerging ? 'tree' : 'content' },
    ],
  })
  if (targetKey.startsWith(`${source.location.key}/`) || source.location.key.startsWith(`${targetKey}/`)) {
    throw new AppError('TARGET_INSIDE_SOURCE')
  }
  const carrying = { kind, source, from, to, depth, isReplacing: !isMerging && !isItself }
  // Replaced, not merged: what stood there goes to the bin first, whole, and stays where nothing would come in its place.
  if (isMerging && !isItself) {
    await requireCarriable(deps, asked, { ...carrying, target })
    const faults = await recycle(deps, asked, to)
    if (faults.length > 0)
      return answerOutcome(res, { asked: { ...asked, names: namesTo(to) }, node: to, faults, status: 204 })
  }
  const faults = await carry(deps, asked, carrying)
  answerOutcome(res, { asked, node: from, faults, status: target.found === undefined || isItself ? 201 : 204 })
}

interface MovingPlaceholder {
  readonly kind: 'copy' | 'move'
  /** What is asked of the source. */
  readonly need: Need
  readonly to: InPlace
  readonly exchange: RawExchange
}

/** A name that was locked and not written yet: what counts as an empty file goes on as one. */
async function movePlaceholder(
  deps: WebdavDeps,
  asked: Asked,
  { kind, need, to, exchange }: MovingPlaceholder,
): Promise<void> {
  const { ctx } = asked
  const from = requireEntryNode(asked)
  const location = await deps.files.access.open(ctx, placeOf(from.ids), from.path, need)
  const held = await placeholderAt(deps, ctx, location)
  if (held === undefined) throw new AppError('PATH_NOT_FOUND')
  const target = await targetAt(deps, ctx, to)
  if (target.found !== undefined && isForbiddenToReplace(exchange)) throw new Refusal(412, 'PATH_EXISTS')
  await requireConditions(deps, asked, exchange.req, {
    spaceId: location.place.spaceId,
    etag: undefined,
    changes: [
      ...(kind === 'move' ? [{ key: location.key, what: 'content' } as const] : []),
      { key: target.location.key, what: target.found === undefined ? 'member' : 'content' },
    ],
  })
  if (target.found?.entry.kind === 'folder') throw new AppError('PATH_IS_FOLDER')
  await storeSmall(deps, asked, { target, source: nothing(), length: 0, conflict: 'replace', modifiedMs: 0 })
  if (kind === 'move') await deps.files.fileLocks.release(held.token, ctx.principal.id)
  answer(exchange.res, target.found === undefined ? 201 : 204)
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

function isForbiddenToReplace({ req }: RawExchange): boolean {
  return (
    String(req.headers['overwrite'] ?? 'T')
      .trim()
      .toUpperCase() === 'F'
  )
}

interface Carrying extends Transferring {
  readonly depth: string
  readonly isReplacing: boolean
}

/** Refuses what {@link carry} would refuse, while the name is still taken. @throws AppError */
async function requireCarriable(
  deps: WebdavDeps,
  { ctx }: Asked,
  carrying: Carrying & { readonly target: Target },
): Promise<void> {
  const { kind, source, to, target } = carrying
  const name = lastName(to)
  const way = wayOf(carrying)
  if (way === 'transfer') {
    await requireTransferable(deps.jobs, ctx, { kind, request: requestOf(carrying) })
  } else if (way === 'make-folder') {
    const folder = await deps.files.access.open(ctx, placeOf(to.ids), folderPath(to), 'makeFolder')
    newWithin(folder, { name, kind: 'folder' })
  } else {
    const { location, entry } = source
    const renamed = newWithin(target.folder, { name, kind: entry.kind })
    if (entry.kind === 'folder') await requireNothingHidden(location, { signal: ctx.signal, to: renamed })
  }
}

function wayOf({ kind, source, from, to, depth }: Carrying): 'make-folder' | 'rename' | 'transfer' {
  if (kind === 'copy') return depth === '0' && source.entry.kind === 'folder' ? 'make-folder' : 'transfer'
  return isSameFolder(from, to) ? 'rename' : 'transfer'
}

async function carry(deps: WebdavDeps, asked: Asked, carrying: Carrying): Promise<JobFault[]> {
  const { kind, from, to, isReplacing } = carrying
  const { ctx } = asked
  const name = lastName(to)
  const way = wayOf(carrying)
  if (way === 'make-folder') {
    await makeFolder(deps.files, ctx, { ...to.ids, folder: folderPath(to), name })
    return []
  }
  if (way === 'rename') {
    const oldName = from.below.at(-1) ?? ''
    await rename(deps.files, ctx, { ...from.ids, path: folderPath(from), oldName, newName: name, replace: isReplacing })
    return []
  }
  const { job } = await startTransfer(deps.jobs, ctx, { kind, request: requestOf(carrying) })
  return outcomeOf(deps, asked, job)
}

function requestOf({ source, from, to, isReplacing }: Carrying): TransferRequest {
  const name = lastName(to)
  return {
    ...from.ids,
    paths: [from.path],
    target: folderPath(to),
    targetGroupId: to.ids.groupId,
    conflict: isReplacing ? 'replace' : 'fail',
    ...(name === nameOf(source.location) ? {} : { as: name }),
  }
}

function lastName({ below }: InPlace): string {
  return (below.at(-1) ?? '').normalize('NFC')
}

function isSameFolder(from: InPlace, to: InPlace): boolean {
  const isSamePlace = from.ids.spaceId === to.ids.spaceId && from.ids.groupId === to.ids.groupId
  return isSamePlace && folderPath(from).normalize('NFC') === folderPath(to).normalize('NFC')
}

function needOf(
  kind: 'copy' | 'move',
  { isAcross, from, to }: { readonly isAcross: boolean; readonly from: InPlace; readonly to: InPlace },
) {
  if (kind === 'copy') return isAcross ? 'copyOut' : 'copy'
  if (isAcross) return 'moveOut'
  return isSameFolder(from, to) ? 'rename' : 'move'
}

/** What the name is asked for that the entry gets. */
function needThere({ kind, source, from, to }: Transferring, isAcross: boolean): Need {
  if (isAcross) return 'uploadFile'
  if (kind === 'copy') return 'copyHere'
  if (isSameFolder(from, to)) return 'rename'
  return lastName(to) === nameOf(source.location) ? 'moveHere' : 'moveHereAs'
}

/** @throws Refusal 502 for another server, 403 for what is no place; AppError PARAMETER_INVALID */
async function destination(deps: WebdavDeps, { ctx }: Asked, { req }: RawExchange): Promise<InPlace> {
  const header = req.headers['destination']
  if (header === undefined) throw new AppError('PARAMETER_INVALID', { field: 'Destination' })
  const names = namesOfUrl(String(header), req.headers.host)
  if (names === undefined) throw new Refusal(502, 'OPERATION_UNSUPPORTED')
  try {
    return requireEntryNode({ node: await nodeAt(deps.db, ctx, names) })
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'PATH_NOT_FOUND') throw new Refusal(409, 'PATH_NOT_FOUND')
    throw thrown
  }
}

function folderPath({ below }: InPlace): string {
  return `/${below.slice(0, -1).join('/')}`
}

function namesTo({ root, below }: InPlace): string[] {
  return [...root, ...below]
}

interface Outcome {
  readonly asked: Pick<Asked, 'names'>
  readonly node: InPlace
  readonly faults: readonly JobFault[]
  /** When nothing went wrong. */
  readonly status: number
}

/** One status when all went well or the entry itself failed; else a line for each path that did. */
function answerOutcome(res: ServerResponse, { asked, node, faults, status }: Outcome): void {
  const [first] = faults
  if (first === undefined) return answer(res, status)
  if (faults.length === 1 && first.path.normalize('NFC') === node.path.normalize('NFC')) throw first.error
  const paths = faults.map(({ path, error }) => {
    const names = [...node.root, ...path.split('/').filter((name) => name !== '')]
    return { href: hrefOf(names.length > node.root.length ? names : asked.names, false), status: statusOf(error) }
  })
  answerPaths(res, paths)
}
