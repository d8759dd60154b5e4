import type { RawExchange } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { placeOf } from '../../content/access/index.ts'
import { answer, Refusal } from './webdav.answers.ts'
import { requireTags } from './webdav.conditions.ts'
import type { WebdavDeps } from './webdav.deps.ts'
import { foundAt, placeholderAt, type Asked } from './webdav.entries.ts'

/** Answers GET and HEAD of a file, by Range when it is asked for. @throws AppError, Refusal */
export async function getFile(deps: WebdavDeps, asked: Asked, exchange: RawExchange): Promise<void> {
  const { ctx, node } = asked
  const { req, res } = exchange
  if (node.kind === 'virtual') throw isFolder()
  const found = await foundAt(deps, ctx, node, 'download')
  if (found === undefined) {
    const location = await deps.files.access.open(ctx, placeOf(node.ids), node.path, 'download')
    if ((await placeholderAt(deps, ctx, location)) === undefined) throw new AppError('PATH_NOT_FOUND')
    return answer(res, 200, { 'content-type': 'application/octet-stream' })
  }
  const { entry, location } = found
  if (entry.kind === 'folder') throw isFolder()
  // What the download itself answers is If-None-Match and If-Range.
  const { 'if-none-match': _answeredBelow, ...headers } = req.headers
  requireTags({ headers }, entry.etag)
  const changed = Math.floor(entry.modifiedMs / 1000) * 1000
  const unless = Date.parse(req.headers['if-unmodified-since'] ?? '')
  if (req.headers['if-match'] === undefined && changed > unless) throw new Refusal(412, 'FILE_CHANGED')
  const since = Date.parse(req.headers['if-modified-since'] ?? '')
  if (req.headers['if-none-match'] === undefined && changed <= since) {
    return answer(res, 304, { etag: `"${entry.etag}"`, 'last-modified': new Date(changed).toUTCString() })
  }
  const wanted = { principal: ctx.principal, place: node.ids, paths: [location.path] }
  const { signal, locale, door, address } = ctx
  await deps.downloads.fetch(wanted, { ...exchange, signal, locale, door, address })
}

function isFolder(): Refusal {
  return new Refusal(405, 'PATH_IS_FOLDER', {
    headers: { allow: 'OPTIONS, PROPFIND, PROPPATCH, DELETE, COPY, MOVE, LOCK, UNLOCK' },
  })
}
