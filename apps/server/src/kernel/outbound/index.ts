import { lookup } from 'node:dns/promises'
import { allowedOf, INSIDE, isAllowedName, isReachable, type Reach } from './outbound.policy.ts'

export { isHostName, type Reach } from './outbound.policy.ts'
export { AnswerTooLong, beforeAbort, outboundFetch } from './outbound-fetch.ts'

/**
 * The only way to an address that somebody other than the operator named: a mail server, for instance. Names are resolved
 * here once and the connection goes to the address that was looked at, so that a second answer of the name server cannot
 * lead elsewhere.
 */
export interface Outbound {
  /**
   * The address to connect to.
   * @param reach `inside` where an administrator of the whole site said that the host lies in the own network
   * @throws OutboundError
   */
  addressOf(host: string, reach?: Reach): Promise<string>
}

export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly reason: 'unknown-host' | 'not-allowed'
  constructor(reason: OutboundError['reason'], options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
  }
}

/** @param allow addresses, CIDR ranges and names inside the house that may be reached (`outbound.allow`) */
export function createOutbound(allow: readonly string[]): Outbound {
  const outside = allowedOf(allow)
  const inside = allowedOf([...allow, ...INSIDE])
  return {
    async addressOf(host, reach = 'public') {
      const allowed = reach === 'inside' ? inside : outside
      const addresses = await resolve(host)
      if (isAllowedName(host, allowed)) return addresses[0]
      const reachable = addresses.find((address) => isReachable(address, allowed))
      if (reachable === undefined) throw new OutboundError('not-allowed')
      return reachable
    },
  }
}

async function resolve(host: string): Promise<readonly [string, ...string[]]> {
  try {
    const [first, ...rest] = (await lookup(host, { all: true })).map(({ address }) => address)
    if (first !== undefined) return [first, ...rest]
  } catch (thrown) {
    throw new OutboundError('unknown-host', { cause: thrown })
  }
  throw new OutboundError('unknown-host')
}
