import { TLSSocket } from 'node:tls'
import { MiB } from '@godwit/base'
import { serverControlRoutes } from '@godwit/contract'
import type { RawEndpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'

/** More than a part of an upload. */
const MOST_BYTES = 64 * MiB

/** Tells a page what became of its request on the way. */
export function probeEndpoint(): RawEndpoint {
  return {
    spec: serverControlRoutes.probe,
    takesBytes: true,
    async handle({ address }, { req, res, body }) {
      let bytes = 0
      for await (const chunk of body) {
        bytes += chunk.length
        if (bytes > MOST_BYTES) throw new AppError('BODY_TOO_LARGE')
      }
      const named = req.headers['x-forwarded-for'] ?? req.headers['forwarded']
      const isSecure = req.socket instanceof TLSSocket || req.headers['x-forwarded-proto'] === 'https'
      const isIgnored = named !== undefined && address === plainAddress(req.socket.remoteAddress ?? '')
      res.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
      res.end(JSON.stringify({ code: 200, data: { bytes, address, isSecure, isIgnored } }))
    },
  }
}

/** IPv4 without the prefix that a socket for both kinds shows it with. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:/, '')
}
