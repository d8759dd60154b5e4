import { setTimeout as pause } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import { MiB } from '@godwit/base'
import { serverControlRoutes } from '@godwit/contract'
import type { RawEndpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'

/** More than a part of an upload. */
const MOST_BYTES = 64 * MiB
/** Longer than a busy network holds a byte up. */
const PACE_MS = 1_500

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

/** Answers in two steps, so that a page can tell whether a proxy holds answers back until they are whole. */
export function paceEndpoint(): RawEndpoint {
  return {
    spec: serverControlRoutes.pace,
    async handle({ signal }, { res }) {
      // A kind that no proxy compresses, and a length, so that none has to guess the end.
      const headers = { 'content-type': 'application/octet-stream', 'content-length': 2, 'cache-control': 'no-store' }
      res.writeHead(200, headers)
      res.write('1')
      await pause(PACE_MS, undefined, { signal })
      res.end('2')
    },
  }
}

/** IPv4 without the prefix that a socket for both kinds shows it with. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:/, '')
}
