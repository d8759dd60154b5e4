import { BlockList, isIP } from 'node:net'

/** Addresses that an administrator wrote, separated by semicolons. */
export type AddressList = (address: string) => boolean

const LISTS_MAX = 1000
const known = new Map<string, AddressList>()

/** The entries of a list as people write them. */
function entriesOf(text: string): string[] {
  return text.split(/[;；,\s]+/).filter((entry) => entry !== '')
}

/**
 * The first entry that is neither an address, a network such as 10.0.0.0/8, nor a range such as 10.80.90.[1-100] or 10.80.*.*.
 * @returns undefined when every entry can be used
 */
export function addressFault(text: string): string | undefined {
  return entriesOf(text).find((entry) => matcherOf(entry) === undefined)
}

/** Whether a list lets this address in. An empty one lets everybody in; an entry that cannot be used lets nobody in. */
export function coversAddress(text: string, address: string): boolean {
  let list = known.get(text)
  if (list === undefined) {
    if (known.size >= LISTS_MAX) known.clear()
    list = compile(text)
    known.set(text, list)
  }
  return list(plainAddress(address))
}

function compile(text: string): AddressList {
  const entries = entriesOf(text)
  if (entries.length === 0) return () => true
  const matchers = entries.map(matcherOf)
  return (address) => matchers.some((matches) => matches?.(address) === true)
}

function matcherOf(entry: string): AddressList | undefined {
  if (entry.includes('/')) return networkOf(entry)
  const family = isIP(entry)
  if (family === 6) return networkOf(`${entry}/128`)
  return rangesOf(entry)
}

function networkOf(entry: string): AddressList | undefined {
  const [address = '', bits = '', ...more] = entry.split('/')
  const family = isIP(address)
  const most = family === 6 ? 128 : 32
  if (family === 0 || more.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > most) return undefined
  const networks = new BlockList()
  const type = family === 6 ? 'ipv6' : 'ipv4'
  networks.addSubnet(address, Number(bits), type)
  return (other) => isIP(other) === family && networks.check(other, type)
}

/** Each of the four parts is a number, `*` or a range such as `[1-100]`. */
function rangesOf(entry: string): AddressList | undefined {
  const ranges = entry.split('.').map(rangeOf)
  if (ranges.length !== 4 || ranges.some((range) => range === undefined)) return undefined
  return (address) => {
    const parts = address.split('.').map(Number)
    return (
      parts.length === 4 &&
      ranges.every((range, at) => {
        const part = parts[at] ?? -1
        return range !== undefined && part >= range.first && part <= range.last
      })
    )
  }
}

function rangeOf(part: string): { readonly first: number; readonly last: number } | undefined {
  if (part === '*') return { first: 0, last: 255 }
  const [, single, from, to] = /^(?:(\d{1,3})|\[(\d{1,3})-(\d{1,3})\])$/.exec(part) ?? []
  const [first, last] = [Number(single ?? from), Number(single ?? to)]
  return first <= last && last <= 255 ? { first, last } : undefined
}

/** IPv4 that came in by IPv6. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
