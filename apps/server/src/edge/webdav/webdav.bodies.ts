import type { IncomingMessage } from 'node:http'
import type { RequestBytes } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { wholeBody } from '../../kernel/whole-body.ts'
import { parseXml, XML_MAX_BYTES, type XmlElement } from '../../kernel/xml.ts'

/** Whether a request brings a body at all. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * The document that came with a request.
 * @returns undefined without a body
 * @throws AppError BODY_TOO_LARGE, PARAMETER_INVALID
 */
export async function bodyXml(req: IncomingMessage, body: RequestBytes): Promise<XmlElement | undefined> {
  if (!hasBody(req)) return undefined
  if (Number(req.headers['content-length'] ?? 0) > XML_MAX_BYTES) throw new AppError('BODY_TOO_LARGE')
  const bytes = await wholeBody(body, XML_MAX_BYTES)
  return bytes.length === 0 ? undefined : parseXml(textOf(bytes))
}

/** UTF-8, or UTF-16 when a mark says so: XML knows these two by itself. */
function textOf(bytes: Buffer): string {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const decoder = new TextDecoder(isUtf16 ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8', { fatal: true })
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    throw new AppError('PARAMETER_INVALID', { field: 'body', rule: 'not Unicode' }, { cause })
  }
}
