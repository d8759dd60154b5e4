import { SHARE_URL_TYPE } from '@godwit/contract'
import { closing, lengthOf, uploaderOf, type Intake } from '../../content/intake/index.ts'
import { sourceOf } from '../../identity/auth/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import { hashToken } from '../../kernel/crypto/index.ts'
import type { RawExchange } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import type { GuestPrincipal } from '../../kernel/principal.ts'
import type { Link } from './links.schema.ts'
import { requireUnsealed } from './sealed-links.policy.ts'
import { sendShared, type VisitDownloadsDeps } from './visit-downloads.ts'
import { admitGuest, guestOf, VISIT_MS } from './visits.service.ts'
import { visitsStore } from './visits.store.ts'

/** Visits of programs such as curl and wget: each request shows the password by itself, and none has a token. */
export interface PlainDeps extends VisitDownloadsDeps {
  readonly intake: Intake
}

/**
 * Sends everything, or one path, with the password in a header or by Basic authentication.
 * @throws AppError as {@link admitGuest}, LINK_TAKES_FILES, LINK_DOWNLOAD_NOT_ALLOWED, PATH_NOT_FOUND
 */
export async function sendPlain(
  deps: VisitDownloadsDeps,
  ctx: Ctx,
  exchange: RawExchange,
  path: string | null,
): Promise<void> {
  const row = await admitProgram(deps, ctx, exchange)
  if (row.url_type === SHARE_URL_TYPE.upload) throw new AppError('LINK_TAKES_FILES')
  const paths = path === null || path === '/' ? [] : [path]
  await sendShared(deps, ctx, { guest: guestOf(row.id, ''), row, paths, exchange })
}

/** @throws AppError as {@link admitGuest}; what a program cannot show has an error that says so */
export async function admitProgram(deps: VisitDownloadsDeps, ctx: Ctx, { req, params }: RawExchange): Promise<Link> {
  const claim = { url: params['linkId'] ?? '', password: passwordIn(req.headers) }
  const { row, missing } = await admitGuest(deps, ctx, claim)
  if (missing !== undefined) throw new AppError(missing)
  requireUnsealed(row)
  return row
}

function passwordIn(headers: RawExchange['req']['headers']): string | undefined {
  const own = headers['x-link-password']
  if (typeof own === 'string') return own
  const basic = /^Basic ([A-Za-z0-9+/=]{1,1024})$/i.exec(headers.authorization ?? '')?.[1]
  if (basic === undefined) return undefined
  const pair = Buffer.from(basic, 'base64').toString('utf8')
  return pair.slice(pair.indexOf(':') + 1)
}

/** A file that a program brought. */
export interface PlainUpload {
  /** As the guest sees it. */
  readonly path: string
  readonly size: number
  /** BLAKE3 of the tree; '' where the storage cannot be read back. */
  readonly hash: string
}

/**
 * Takes the body of a request as a new file of an invite link; folders of the path are made.
 * @throws AppError as {@link admitGuest} and the intake, LINK_FORM_REQUIRED, LINK_NAME_REQUIRED, RANGE_INVALID
 */
export async function takePlain(deps: PlainDeps, ctx: Ctx, exchange: RawExchange, path: string): Promise<PlainUpload> {
  const { req, body } = exchange
  return closing(body, async () => {
    const row = await admitProgram(deps, ctx, exchange)
    if (row.url_type !== SHARE_URL_TYPE.upload) throw new AppError('PERMISSION_DENIED', { permission: 'upload' })
    if (row.guest_form !== null) throw new AppError('LINK_FORM_REQUIRED')
    // A part of a file must not become the whole of it (RFC 9110 §14.5).
    if (req.headers['content-range'] !== undefined) throw new AppError('RANGE_INVALID')
    const relativePath = path.split('/').filter((name) => name !== '')
    const filename = relativePath.at(-1)
    if (filename === undefined) throw new AppError('LINK_NAME_REQUIRED')
    const guest = await programVisit(deps, ctx, row)
    const by = await uploaderOf(deps.files.access, { ...ctx, principal: guest })
    const { live } = await deps.intake.create(by.ctx, {
      ...by.target({ spaceId: row.space_id, groupId: row.group_id, folder: '/' }),
      filename,
      relativePath: relativePath.join('/'),
      size: lengthOf(req) ?? null,
      conflict: 'keep-both',
      resume: false,
      carrier: 'put',
    })
    const stored = await deps.intake.takeWhole(by.ctx, { req, body, live })
    return { path: by.shown(stored.path), size: live.row.size ?? 0, hash: stored.hash ?? '' }
  })
}

/**
 * What one program at one address brings by a link is one visit, as what a page brings is. It is found by who comes, not by a
 * token: no bearer token can have this hash, because those begin with a prefix of their own.
 */
async function programVisit(deps: PlainDeps, ctx: Ctx, row: Link): Promise<GuestPrincipal> {
  const { db, dialect, clock, ids } = deps
  const now = clock.now()
  const address = ctx.address.slice(0, 64)
  const userAgent = ctx.userAgent.slice(0, 256)
  const token = hashToken(`program\n${row.id}\n${sourceOf(ctx.address)}\n${userAgent}`)
  const visit = { id: ids.next(), link_id: row.id, token_hash: token, address, user_agent: userAgent } as const
  const id = await visitsStore.begin(
    { db, dialect },
    { ...visit, recipient: '', user_id: '', created_at: now, expires_at: now + VISIT_MS },
  )
  return guestOf(row.id, id)
}
