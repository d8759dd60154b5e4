import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Tells clients from the proxies in front of the server. */
export interface ClientAddresses {
  /** The nearest address that is not a trusted proxy; '' when the connection is gone. */
  of(req: Pick<IncomingMessage, 'headers' | 'socket'>): string
  isProxy(address: string): boolean
}

/** @param trustedProxies addresses and CIDR ranges @throws Error for anything else */
export function createClientAddresses(trustedProxies: readonly string[]): ClientAddresses {
  const proxies = blockList(trustedProxies)
  const isProxy = (address: string): boolean => {
    const plain = withoutMapping(address)
    const version = isIP(plain)
    return version !== 0 && proxies.check(plain, version === 6 ? 'ipv6' : 'ipv4')
  }
  return {
    isProxy,
    of(req) {
      // Without trusted proxies the header is ignored: anyone can send one.
      const chain = String(req.headers['x-forwarded-for'] ?? '').split(',')
      let address = withoutMapping(req.socket.remoteAddress ?? '')
      while (isProxy(address)) {
        const next = forwardedAddress(chain.pop() ?? '')
        // A proxy that hides whom it speaks for stands for its client. What is left of the chain, that client may have forged.
        if (next === undefined) break
        address = next
      }
      return address
    },
  }
}

/**
 * The address in one entry of X-Forwarded-For, which some proxies write with a port.
 * @returns undefined for `unknown`, obfuscated names and anything else that is no address
 */
export function forwardedAddress(entry: string): string | undefined {
  const text = entry.trim().replaceAll('"', '')
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1]
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(text)?.[1]
  const address = bracketed ?? withPort ?? text
  return isIP(address) === 0 ? undefined : withoutMapping(address)
}

function blockList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (isIP(address) === 0) throw new Error(`trustedProxies: not an address or CIDR range: ${entry}`)
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return list
}

function withoutMapping(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}
