import { BlockList, isIP } from 'node:net'

/** Ranges that are no public addresses: this machine, its neighbours, and what leads back to them (RFC 6890, RFC 8215). */
const INWARD: ReadonlyArray<readonly [string, number]> = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]

/** `inside`: also what lies in the own network. */
export type Reach = 'public' | 'inside'

/** Networks of a house and this machine (RFC 1918, RFC 4193, RFC 6598); not what clouds answer to their machines, 169.254.0.0/16. */
export const INSIDE = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1',
  'fc00::/7',
]

const inward = listOf(INWARD.map(([address, prefix]) => `${address}/${prefix}`))

/** What the operator allows in spite of that: addresses, CIDR ranges, and names. */
export interface Allowed {
  readonly addresses: BlockList
  readonly names: ReadonlySet<string>
}

/** @throws Error for an entry that is neither an address, a CIDR range nor a host name */
export function allowedOf(entries: readonly string[]): Allowed {
  const isAddress = (entry: string) => isIP(entry.split('/')[0] ?? '') !== 0
  const names = entries.filter((entry) => !isAddress(entry)).map(plainName)
  const wrong = names.find((name) => !isHostName(name))
  if (wrong !== undefined) throw new Error(`outbound.allow: neither an address, a CIDR range nor a name: ${wrong}`)
  return { addresses: listOf(entries.filter(isAddress)), names: new Set(names) }
}

/**
 * Whether the server may connect to this address because somebody other than the operator named it.
 * IPv4 within IPv6 counts as the IPv4 address.
 */
export function isReachable(address: string, allowed: Allowed): boolean {
  if (isIP(address) === 0) return false
  return isIn(allowed.addresses, address) || !isIn(inward, address)
}

export function isAllowedName(host: string, allowed: Allowed): boolean {
  return allowed.names.has(plainName(host))
}

/** A name of a host, and no address: an address with a slip in it must not pass for a name. */
export function isHostName(text: string): boolean {
  const name = plainName(text)
  return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name) && !/^[\d.]+$/.test(name)
}

function plainName(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}

function isIn(list: BlockList, address: string): boolean {
  const plain = address.split('%')[0] ?? ''
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped !== undefined) return list.check(mapped, 'ipv4')
  return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
}

function listOf(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return list
}
