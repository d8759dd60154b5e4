import type { ErrorName } from '@godwit/contract'
import { errorText } from '@godwit/i18n'
import { failureFields, type Ctx } from '../../kernel/context.ts'
import type { RawEndpoint, RawExchange } from '../../kernel/endpoint.ts'
import { AppError, toAppError } from '../../kernel/errors.ts'
import { sendPlain, takePlain, type PlainDeps } from './plain-visits.ts'

const PATHS = ['/share/:linkId', '/share/:linkId/*']

/** A page asks for HTML, whatever else it takes; curl and wget ask for anything. */
const isProgram: NonNullable<RawEndpoint['takes']> = ({ headers }) => !(headers.accept ?? '').includes('text/html')

/**
 * The address of a link itself, for programs: they get the files where a browser gets the page, and bring files to an invite link
 * with PUT. Answers besides files are one line of text.
 */
export function plainEndpoints(deps: PlainDeps): RawEndpoint[] {
  return PATHS.flatMap((path) => [
    {
      spec: { method: 'GET', path, access: 'public' as const },
      takes: isProgram,
      handle: (ctx: Ctx, exchange: RawExchange) =>
        inOneLine(deps, ctx, exchange, () => sendPlain(deps, ctx, exchange, `/${restOf(exchange)}`)),
    },
    {
      spec: { method: 'PUT', path, access: 'public' as const },
      takesBytes: true,
      handle: (ctx: Ctx, exchange: RawExchange) =>
        inOneLine(deps, ctx, exchange, async () => {
          const stored = await takePlain(deps, ctx, exchange, restOf(exchange))
          const hash = stored.hash === '' ? '' : ` BLAKE3 ${stored.hash}`
          sendLine(exchange.res, 201, `${stored.path} ${stored.size} bytes${hash}`)
        }),
    },
  ])
}

/** @throws AppError PATH_NOT_FOUND for an address that is no text */
function restOf({ params }: RawExchange): string {
  try {
    return decodeURIComponent(params['*'] ?? '')
  } catch {
    throw new AppError('PATH_NOT_FOUND', { name: '' })
  }
}

/** What HTTP calls these cases. In the envelope of the API they are 400, but a program reads the status alone. */
const STATUSES: Readonly<Partial<Record<ErrorName, number>>> = {
  LINK_NOT_FOUND: 404,
  PATH_NOT_FOUND: 404,
  LINK_EXPIRED: 410,
  LINK_PASSWORD_REQUIRED: 401,
  LINK_PASSWORD_WRONG: 401,
  LINK_DEVICE_MISMATCH: 403,
  LINK_EMAIL_REQUIRED: 403,
  LINK_SIGN_IN_REQUIRED: 403,
  LINK_FORM_REQUIRED: 403,
  LINK_DOWNLOAD_NOT_ALLOWED: 403,
  LINK_SEALED: 403,
  LINK_TAKES_FILES: 405,
  PERMISSION_DENIED: 403,
}

/** Errors whose usual text tells what to do on the page. */
const FOR_PROGRAMS: Readonly<Partial<Record<ErrorName, ErrorName>>> = {
  LINK_DEVICE_MISMATCH: 'LINK_DEVICE_IN_BROWSER',
  LINK_FORM_REQUIRED: 'LINK_FORM_IN_BROWSER',
}

async function inOneLine(
  { log }: Pick<PlainDeps, 'log'>,
  ctx: Ctx,
  { res }: RawExchange,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (thrown) {
    const error = toAppError(thrown)
    if (error.status >= 500 && !ctx.signal.aborted) log.error(failureFields(ctx, error), 'request failed')
    if (ctx.signal.aborted || res.headersSent) {
      res.destroy()
      return
    }
    const status = STATUSES[error.code] ?? error.status
    if (status === 401) askForPassword(res)
    const seconds = error.details?.['retryAfterSeconds']
    if (typeof seconds === 'number') res.setHeader('retry-after', String(seconds))
    sendLine(res, status, errorText(ctx.locale, FOR_PROGRAMS[error.code] ?? error.code, error.details))
  }
}

export function askForPassword(res: RawExchange['res']): void {
  res.setHeader('www-authenticate', 'Basic realm="link", charset="UTF-8"')
}

function sendLine(res: RawExchange['res'], status: number, line: string): void {
  const body = `${line}\n`
  res.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  res.end(body)
}
