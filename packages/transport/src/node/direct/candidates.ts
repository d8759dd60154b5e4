import { isIP } from 'node:net'
import type { Endpoint } from '../ports/port.types.ts'

/** Addresses of one CANDIDATES frame, and of a peer altogether: it names where this side sends probes to. */
export const MAX_CANDIDATES = 16
const MAX_BYTES = 1024
const NO_RELAY = 'no-relay'

export interface Candidates {
  readonly endpoints: readonly Endpoint[]
  /** False: the sender of this list gives no data to the relay, and takes none. */
  readonly isRelayAllowed: boolean
}

/** One address a line, `HOST PORT`. */
export function writeCandidates({ endpoints, isRelayAllowed }: Candidates): Uint8Array {
  const lines = endpoints.slice(0, MAX_CANDIDATES).map(({ host, port }) => `${host} ${port}`)
  return Buffer.from([...(isRelayAllowed ? [] : [NO_RELAY]), ...lines].join('\n'))
}

/** Leaves out what is no address of a single machine. Undefined: longer than any list that is meant seriously. */
export function readCandidates(payload: Uint8Array): Candidates | undefined {
  if (payload.length > MAX_BYTES) return undefined
  const lines = Buffer.from(payload).toString('latin1').split('\n')
  return {
    endpoints: lines.flatMap((line) => readEndpoint(line) ?? []).slice(0, MAX_CANDIDATES),
    isRelayAllowed: !lines.includes(NO_RELAY),
  }
}

export function readEndpoint(line: string): Endpoint | undefined {
  const found = /^([0-9a-fA-F.:]{2,45}) (\d{1,5})$/.exec(line)
  const [host, port] = [found?.[1] ?? '', Number(found?.[2] ?? 0)]
  return port > 0 && port <= 65_535 && isSingleHost(host) ? { host, port } : undefined
}

/** Neither "any address", multicast, broadcast, nor this machine itself. */
function isSingleHost(host: string): boolean {
  if (isIP(host) === 6) return !/^(?:ff|::1?$|::ffff:)/i.test(host)
  if (isIP(host) !== 4) return false
  const first = Number(host.split('.', 1)[0])
  return first > 0 && first !== 127 && first < 224
}
