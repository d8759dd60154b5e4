import {
  folderOf,
  newWithin,
  nameOf,
  requireFolder,
  requireNothingHidden,
  placeOf,
  type Location,
} from '../../content/access/index.ts'
import { LOCK_MAX_MS, type FileLock } from '../../content/file-locks/index.ts'
import type { RawExchange } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { answer, answerXml, Refusal } from './webdav.answers.ts'
import { bodyXml } from './webdav.bodies.ts'
import { requireTags } from './webdav.conditions.ts'
import type { WebdavDeps } from './webdav.deps.ts'
import { foundAt, requirePlace, targetAt, type Asked } from './webdav.entries.ts'
import { lockTokenIn, lockTokenUrl, parseIf, submittedTokens, timeoutIn } from './webdav.if-header.ts'
import { activeLock } from './webdav.live-properties.ts'
import { WEBDAV_SETTINGS } from './webdav.settings.ts'
import { elementsIn, escapeXml, writeXml, type XmlElement } from '../../kernel/xml.ts'

/** What a client may say about itself in a lock, in characters. */
const OWNER_MAX = 8_192

/** Takes a lock, or prolongs one. @throws AppError, Refusal */
export async function lock(deps: WebdavDeps, asked: Asked, exchange: RawExchange): Promise<void> {
  const { req, res, body } = exchange
  const xml = await bodyXml(req, body)
  const timeoutMs = timeoutIn(req.headers['timeout']?.toString(), LOCK_MAX_MS)
  if (xml === undefined) return prolong(deps, asked, { exchange, timeoutMs })
  const wanted = wantedBy(xml)
  const depth = req.headers['depth'] ?? 'infinity'
  if (depth !== '0' && depth !== 'infinity') throw new AppError('PARAMETER_INVALID', { field: 'Depth' })
  const { location, isNew, isFolder, etag } = await lockable(deps, asked)
  requireTags(req, etag)
  const isDeep = isFolder && depth === 'infinity'
  if (isDeep) await requireNothingHidden(location, asked.ctx)
  const { principal } = asked.ctx
  const { 'webdav.locksPerAccount': most } = await deps.settings.of(WEBDAV_SETTINGS)
  const take = (): Promise<FileLock> =>
    deps.files.fileLocks.take({
      ...{ ...location.place, ...wanted, key: location.key, path: location.path, isDeep, timeoutMs, most },
      userId: principal.id,
      apiTokenId: principal.kind === 'api-token' ? principal.apiTokenId : '',
    })
  const taken = location.path === '/' ? await take() : await deps.files.locks.run(folderOf(location), take)
  const headers = { 'lock-token': `<${lockTokenUrl(taken.token)}>` }
  answerXml(res, { status: isNew ? 201 : 200, content: discovery(deps, taken), headers })
}

interface Lockable {
  readonly location: Location
  readonly isNew: boolean
  readonly isFolder: boolean
  readonly etag: string | undefined
}

/** What may be locked: an entry, or a name that a file may have. @throws AppError, Refusal */
async function lockable(deps: WebdavDeps, asked: Asked): Promise<Lockable> {
  const node = requirePlace(asked)
  if (node.below.length === 0) {
    const location = await requireFolder(await deps.files.access.open(asked.ctx, placeOf(node.ids), '/', 'uploadFile'))
    return { location, isNew: false, isFolder: true, etag: undefined }
  }
  const { found, location, folder } = await targetAt(deps, asked.ctx, node)
  if (found === undefined) {
    newWithin(folder, { name: nameOf(location), kind: 'file' })
    return { location, isNew: true, isFolder: false, etag: undefined }
  }
  return { location, isNew: false, isFolder: found.entry.kind === 'folder', etag: found.entry.etag }
}

interface Wish {
  readonly isShared: boolean
  readonly owner: string
}

/** @throws AppError PARAMETER_INVALID */
function wantedBy(root: XmlElement): Wish {
  const malformed = new AppError('PARAMETER_INVALID', { field: 'body' })
  const part = (of: XmlElement | undefined, name: string): XmlElement | undefined =>
    of && elementsIn(of).find((each) => each.name === `{DAV:}${name}`)
  const scope = part(root, 'lockscope')
  const isShared = part(scope, 'shared') !== undefined
  const isExclusive = part(scope, 'exclusive') !== undefined
  const isWrite = part(part(root, 'locktype'), 'write') !== undefined
  if (root.name !== '{DAV:}lockinfo' || isShared === isExclusive || !isWrite) throw malformed
  const owner = (part(root, 'owner')?.children ?? [])
    .map((child) => (typeof child === 'string' ? escapeXml(child) : writeXml(child)))
    .join('')
  if (owner.length > OWNER_MAX) throw malformed
  return { isShared, owner }
}

interface Prolonging {
  readonly exchange: RawExchange
  readonly timeoutMs: number
}

async function prolong(deps: WebdavDeps, asked: Asked, { exchange, timeoutMs }: Prolonging): Promise<void> {
  const header = exchange.req.headers['if']
  if (header === undefined) throw new AppError('PARAMETER_INVALID', { field: 'If' })
  for (const value of submittedTokens(parseIf(String(header)))) {
    const token = lockTokenIn(value)
    if (token === undefined || !(await covers(deps, asked, token))) continue
    const prolonged = await deps.files.fileLocks.prolong(token, asked.ctx.principal.id, timeoutMs)
    if (prolonged !== undefined) {
      return answerXml(exchange.res, { status: 200, content: discovery(deps, prolonged) })
    }
  }
  throw new Refusal(412, 'FILE_CHANGED', { precondition: 'lock-token-matches-request-uri' })
}

/** Whether a lock is on what the request names, or deep on a folder above it. */
async function covers({ files }: WebdavDeps, { ctx, node }: Asked, token: string): Promise<boolean> {
  if (node.kind === 'virtual') return false
  const location = await files.access.open(ctx, placeOf(node.ids), node.path, 'uploadFile')
  const found = node.below.length === 0 ? undefined : await foundAt({ files }, ctx, node, 'uploadFile')
  const { key, place } = found?.location ?? location
  return (await files.fileLocks.on({ spaceId: place.spaceId, key })).some((held) => held.token === token)
}

/** Ends a lock of the caller's own. @throws Refusal, AppError PARAMETER_INVALID */
export async function unlock(deps: WebdavDeps, asked: Asked, { req, res }: RawExchange): Promise<void> {
  const url = /^\s*<([^<>]+)>\s*$/.exec(String(req.headers['lock-token'] ?? ''))?.[1]
  if (url === undefined) throw new AppError('PARAMETER_INVALID', { field: 'Lock-Token' })
  const token = lockTokenIn(url)
  const isHere = token !== undefined && (await covers(deps, asked, token))
  if (!isHere) throw new Refusal(409, 'FILE_CHANGED', { precondition: 'lock-token-matches-request-uri' })
  if (!(await deps.files.fileLocks.release(token, asked.ctx.principal.id))) throw new AppError('PERMISSION_DENIED')
  answer(res, 204)
}

function discovery({ clock }: Pick<WebdavDeps, 'clock'>, held: FileLock): string {
  return `<D:prop xmlns:D="DAV:"><D:lockdiscovery>${activeLock(held, clock.now())}</D:lockdiscovery></D:prop>`
}
