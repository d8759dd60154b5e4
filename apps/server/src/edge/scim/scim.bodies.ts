import { isUtf8 } from 'node:buffer'
import { MiB } from '@godwit/base'
import type { RawExchange } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { wholeBody } from '../../kernel/whole-body.ts'
import { requireFewValues } from '../http/index.ts'

/** A group of twenty thousand members. */
const BODY_MAX_BYTES = MiB

/**
 * The message that came with a request.
 * @throws AppError BODY_TOO_LARGE, CONTENT_TYPE_UNSUPPORTED, SCIM_BODY_INVALID
 */
export async function bodyJson({
  req,
  body,
}: Pick<RawExchange, 'req' | 'body'>): Promise<Readonly<Record<string, unknown>>> {
  const type = req.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/scim+json' && type !== 'application/json') throw new AppError('CONTENT_TYPE_UNSUPPORTED')
  if (Number(req.headers['content-length'] ?? 0) > BODY_MAX_BYTES) throw new AppError('BODY_TOO_LARGE')
  const bytes = await wholeBody(body, BODY_MAX_BYTES)
  requireFewValues(bytes)
  const parsed = isUtf8(bytes) ? parse(bytes.toString('utf8')) : undefined
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new AppError('SCIM_BODY_INVALID')
  return parsed as Readonly<Record<string, unknown>>
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('SCIM_BODY_INVALID', undefined, { cause })
  }
}
