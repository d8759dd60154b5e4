import { parseArgs } from 'node:util'
import { parseRate } from '../rates/schedule.ts'
import { BENCH_OPTIONS, RECV_OPTIONS, SEND_OPTIONS } from './options.ts'

/** Exit codes of gwt. */
export const EXIT = { done: 0, failed: 1, usage: 2, partial: 3, refused: 4, lost: 5 } as const

/** A mistake in the command line; the message is shown to the user. */
export class UsageError extends Error {}

export const DEFAULT_PORT = 32001

export type SendValues = ReturnType<typeof parseSend>['values']
export type RecvValues = ReturnType<typeof parseRecv>['values']
export type BenchValues = ReturnType<typeof parseBench>['values']

export function parseSend(words: readonly string[]) {
  return parse(() => parseArgs({ args: [...words], options: SEND_OPTIONS, allowPositionals: true, strict: true }))
}

export function parseRecv(words: readonly string[]) {
  return parse(() => parseArgs({ args: [...words], options: RECV_OPTIONS, allowPositionals: true, strict: true }))
}

export function parseBench(words: readonly string[]) {
  return parse(() => parseArgs({ args: [...words], options: BENCH_OPTIONS, strict: true }))
}

/** @throws UsageError */
function parse<Parsed>(work: () => Parsed): Parsed {
  try {
    return work()
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'bad arguments')
  }
}

/** One of the words, or a UsageError that lists them. */
export function oneOf<Word extends string>(
  name: string,
  value: string | undefined,
  words: readonly [Word, ...Word[]],
): Word {
  if (value === undefined) return words[0]
  const found = words.find((word) => word === value)
  if (found === undefined) throw new UsageError(`--${name} takes one of: ${words.join(', ')}`)
  return found
}

export function numberOf(name: string, value: string, range: { min: number; max: number }): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < range.min || number > range.max) {
    throw new UsageError(`--${name} takes a whole number from ${range.min} to ${range.max}`)
  }
  return number
}

/** Bytes: plain digits or with k, M, G (powers of 1024). */
export function sizeOf(name: string, value: string): number {
  const found = /^(\d+)([kKmMgG]?)$/.exec(value)
  if (found === null) throw new UsageError(`--${name} takes a size such as 500, 20k, 4M or 1G`)
  return Number(found[1]) * 1024 ** ' kmg'.indexOf((found[2] ?? '').toLowerCase() || ' ')
}

function tryRate(value: string): number | undefined {
  try {
    return parseRate(value)
  } catch {
    // The caller adds the name of the option.
    return undefined
  }
}

export function rateOf(name: string, value: string): number {
  const rate = tryRate(value)
  // At 0 a transfer would never end; in a schedule it is a pause.
  if (rate === undefined || rate === 0)
    throw new UsageError(`--${name} takes a rate such as 800k, 20M or 1.5G (bits per second)`)
  return rate
}

/** HOST, HOST:PORT or [IPv6]:PORT. */
export function endpointOf(text: string): { host: string; port: number } {
  const found = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text)
  const host = found?.[1] ?? found?.[2]
  if (host === undefined) throw new UsageError(`not a host or host:port: ${text}`)
  const port = found?.[3] === undefined ? DEFAULT_PORT : Number(found[3])
  if (port === 0 || port > 65_535) throw new UsageError(`not a port: ${port}`)
  return { host, port }
}
