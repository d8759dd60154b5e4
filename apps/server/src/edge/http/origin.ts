import type { IncomingMessage } from 'node:http'
import { AppError } from '../../kernel/errors.ts'

/**
 * Refuses changing requests that another site's page makes. Browsers always send Sec-Fetch-Site or Origin with those;
 * programs send neither and are let through, since they cannot borrow a person's session.
 * @throws AppError ORIGIN_REFUSED
 */
export function requireSameOrigin(req: Pick<IncomingMessage, 'method' | 'headers'>): void {
  const isReading = req.method === 'GET' || req.method === 'HEAD' || req.method === 'OPTIONS'
  // A carrier that honours this header would change things under the name of a reading method.
  if (isReading && req.headers['x-http-method-override'] === undefined) return
  const site = req.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new AppError('ORIGIN_REFUSED')
  const origin = req.headers.origin
  if (origin !== undefined && hostOf(origin) !== req.headers.host) throw new AppError('ORIGIN_REFUSED')
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
