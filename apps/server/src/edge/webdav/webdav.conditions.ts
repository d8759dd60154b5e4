import type { IncomingMessage } from 'node:http'
import type { LockedChange } from '../../content/file-locks/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { find, placeOf } from '../../content/access/index.ts'
import { Refusal } from './webdav.answers.ts'
import type { WebdavDeps } from './webdav.deps.ts'
import type { Asked } from './webdav.entries.ts'
import { lockTokenIn, parseIf, submittedTokens, type IfCondition, type IfList } from './webdav.if-header.ts'
import { namesOfUrl } from './webdav.paths.ts'
import { nodeAt } from './webdav.tree.ts'

/** What a request is about to change. */
export interface Changes {
  readonly spaceId: number
  /** Tag of what the request names; undefined where nothing is. */
  readonly etag: string | undefined
  readonly changes: readonly LockedChange[]
}

/**
 * Checks If, If-Match, If-None-Match and If-Unmodified-Since, and that the tokens of all locks in the way were sent.
 * @throws Refusal 412, 423; AppError FILE_LOCKED
 */
export async function requireConditions(
  deps: WebdavDeps,
  asked: Asked,
  req: IncomingMessage,
  wanted: Changes,
): Promise<void> {
  requireTags(req, wanted.etag)
  const header = req.headers['if']
  const lists = header === undefined ? [] : parseIf(String(header))
  if (lists.length > 0) await requireLists(deps, asked, { lists, host: req.headers.host })
  await requireTokens(deps, asked, { ...wanted, lists })
}

/** @throws Refusal 412 */
export function requireTags({ headers }: Pick<IncomingMessage, 'headers'>, etag: string | undefined): void {
  const mustMatch = headers['if-match']
  const mustNot = headers['if-none-match']
  const isMatching = (list: string): boolean =>
    etag !== undefined && (list.trim() === '*' || list.split(',').some((each) => each.trim() === `"${etag}"`))
  if (mustMatch !== undefined && !isMatching(mustMatch)) throw new Refusal(412, 'FILE_CHANGED')
  if (mustNot !== undefined && isMatching(mustNot)) throw new Refusal(412, 'FILE_CHANGED')
}

interface Sent {
  readonly lists: readonly IfList[]
  readonly host: string | undefined
}

async function requireLists(deps: WebdavDeps, asked: Asked, { lists, host }: Sent): Promise<void> {
  for (const { resource, conditions } of lists) {
    const state = await stateOf(deps, asked, resource === undefined ? asked.names : namesOfUrl(resource, host))
    if (conditions.every((condition) => holds(condition, state))) return
  }
  throw new Refusal(412, 'FILE_CHANGED')
}

interface State {
  readonly etag: string | undefined
  readonly tokens: ReadonlySet<string>
}

const NOTHING: State = { etag: undefined, tokens: new Set() }

/** What is hidden, or in another tree, has no state. */
async function stateOf(deps: WebdavDeps, { ctx }: Asked, names: readonly string[] | undefined): Promise<State> {
  if (names === undefined) return NOTHING
  try {
    const node = await nodeAt(deps.db, ctx, names)
    if (node.kind === 'virtual') return NOTHING
    const location = await deps.files.access.open(ctx, placeOf(node.ids), node.path, 'uploadFile')
    const found = await find(location)
    const { key, place } = found?.location ?? location
    const locks = await deps.files.fileLocks.on({ spaceId: place.spaceId, key })
    return { etag: found?.entry.etag, tokens: new Set(locks.map(({ token }) => token)) }
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.status < 500) return NOTHING
    throw thrown
  }
}

function holds({ kind, value, isNegated }: IfCondition, { etag, tokens }: State): boolean {
  const isTrue = kind === 'etag' ? etag !== undefined && value === `"${etag}"` : tokens.has(lockTokenIn(value) ?? '')
  return isTrue !== isNegated
}

interface Tokens extends Changes {
  readonly lists: readonly IfList[]
}

/** Every lock in the way must be the caller's own and shown; of shared ones, one of them. */
async function requireTokens(deps: WebdavDeps, { ctx }: Asked, { spaceId, changes, lists }: Tokens): Promise<void> {
  const { fileLocks } = deps.files
  if (!(await fileLocks.hasAny(spaceId))) return
  const shown = new Set([...submittedTokens(lists)].map((value) => lockTokenIn(value)))
  for (const change of changes) {
    const locks = await fileLocks.about(spaceId, change)
    const isShown = ({ token, userId }: (typeof locks)[number]): boolean =>
      userId === ctx.principal.id && shown.has(token)
    const hasShown = locks.some(isShown)
    const inTheWay = locks.find((lock) => !isShown(lock) && !(lock.isShared && hasShown))
    if (inTheWay === undefined) continue
    const isBelow = inTheWay.key.startsWith(`${change.key}/`)
    throw new LockedOut(isBelow ? inTheWay.key.slice(change.key.length + 1).split('/') : [])
  }
}

/** A lock whose token was not shown; `below` names the member that has it. */
export class LockedOut extends AppError {
  readonly below: readonly string[]

  constructor(below: readonly string[]) {
    super('FILE_LOCKED', { name: below.at(-1) ?? '' })
    this.name = 'LockedOut'
    this.below = below
  }
}
