import type { IncomingMessage } from 'node:http'
import { find } from '../../content/access/index.ts'
import { closing, lengthOf } from '../../content/intake/index.ts'
import type { RawExchange } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { answer, Refusal } from './webdav.answers.ts'
import { requireConditions } from './webdav.conditions.ts'
import type { WebdavDeps } from './webdav.deps.ts'
import { SMALL_BYTES, storeSmall } from './webdav.small-put.ts'
import { requireEntryNode, targetAt, type Asked, type Target } from './webdav.entries.ts'

/**
 * Takes a file straight into the upload path: nothing is visible before the last byte, and what breaks leaves nothing.
 * @throws AppError, Refusal
 */
export async function putFile(deps: WebdavDeps, asked: Asked, { req, res, body }: RawExchange): Promise<void> {
  await closing(body, async () => {
    // A part of a file must not become the whole of it (RFC 9110 §14.5).
    if (req.headers['content-range'] !== undefined) throw new AppError('RANGE_INVALID')
    const node = requireEntryNode(asked)
    const target = await targetAt(deps, asked.ctx, node)
    const { found, location } = target
    const { spaceId } = location.place
    await deps.intake.requireWeb(asked.ctx.principal, spaceId)
    await deps.intake.requireBegin(asked.ctx)
    if (found?.entry.kind === 'folder') throw new Refusal(405, 'PATH_IS_FOLDER')
    await requireConditions(deps, asked, req, {
      spaceId,
      etag: found?.entry.etag,
      changes: [{ key: location.key, what: found === undefined ? 'member' : 'content' }],
    })
    const modifiedMs = modifiedIn(req)
    const length = lengthOf(req)
    const isExact = req.headers['if-match'] !== undefined
    const isSmall = length !== undefined && length <= SMALL_BYTES && !isExact
    const conflict = req.headers['if-none-match']?.trim() === '*' ? 'fail' : 'replace'
    if (isSmall) {
      const { source, signal } = deps.intake.watch(asked.ctx, {
        body,
        principal: asked.ctx.principal,
        place: location.place,
        target: location,
      })
      await storeSmall(deps, asked, { target, source, signal, length, conflict, modifiedMs: modifiedMs ?? 0 })
    } else {
      const replaces = isExact ? found?.entry.etag : undefined
      await storeLarge(deps, asked, { req, body, target, conflict, modifiedMs, replaces })
    }
    const stored = await find(location)
    answer(res, found === undefined ? 201 : 204, {
      ...(stored === undefined ? {} : { etag: `"${stored.entry.etag}"` }),
      ...(modifiedMs === undefined ? {} : { 'x-oc-mtime': 'accepted' }),
    })
  })
}

interface LargePut {
  readonly req: IncomingMessage
  readonly body: RawExchange['body']
  readonly target: Target
  readonly conflict: 'fail' | 'replace'
  readonly modifiedMs: number | undefined
  readonly replaces: string | undefined
}

async function storeLarge(deps: WebdavDeps, asked: Asked, put: LargePut): Promise<void> {
  const { req, body, target, conflict, modifiedMs: lastModified, replaces } = put
  const { live } = await deps.intake.create(asked.ctx, {
    ...target.node.ids,
    folder: target.folder.path,
    filename: target.name,
    size: lengthOf(req) ?? null,
    conflict,
    resume: false,
    carrier: 'webdav',
    lastModified,
  })
  await deps.intake.takeWhole(asked.ctx, { req, body, live, replaces })
}

/** The time of the source as ownCloud clients and rclone send it; Unix seconds. */
function modifiedIn({ headers }: IncomingMessage): number | undefined {
  const seconds = /^(\d{1,11})(?:\.\d{1,9})?$/.exec(String(headers['x-oc-mtime'] ?? ''))?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}
