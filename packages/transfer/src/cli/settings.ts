import { MiB, systemClock } from '@godwit/base'
import { createRateLimit, type Policy, type RateCeiling } from '@godwit/transport/core'
import { type ConnectionSettings, systemMicros, type UdpChoice } from '@godwit/transport/node'
import { localMinute, parseSchedule, rateAt } from '../rates/schedule.ts'
import { numberOf, oneOf, rateOf, type RecvValues, type SendValues, UsageError } from './arguments.ts'

/** How often the schedule is evaluated; a change takes effect within a second. */
const SCHEDULE_TICK_MS = 500

/** The lowest ceiling that keys can set, bits per second: below it the transfer would seem to hang. */
const MIN_RATE = 100_000

/** Initial window, which grows up to the limit; a line that needs more has not found its rate by then. */
const FIRST_WINDOW = 16 * MiB

export interface LinkSettings {
  readonly udp: UdpChoice
  readonly encrypted: boolean
  readonly packetSize: number
  readonly settings: ConnectionSettings
  /** Bytes by which the receive window may grow from what it begins with. */
  readonly windowGrowth: number
  readonly limit: RateCeiling
  /** Changes the ceiling by a factor until the schedule changes it again. @returns bits per second */
  scaleRate(factor: number, currentBitsPerSecond: number): number
  stop(): void
}

/** Settings of --udp, --policy, --rate, --schedule and --packet-size. @throws UsageError, TransferError SCHEDULE_INVALID */
export function linkSettings(values: SendValues | RecvValues): LinkSettings {
  const base = values.rate === undefined ? Infinity : rateOf('rate', values.rate)
  const periods = values.schedule === undefined ? [] : parseSchedule(values.schedule)
  const current = (): number => rateAt(periods, localMinute(systemClock.now()), base)
  const limit = createRateLimit(systemMicros(), current())
  let holding = current()
  const timer = setInterval(() => {
    const wanted = current()
    if (wanted !== holding) limit.setRate(systemMicros(), wanted)
    holding = wanted
  }, SCHEDULE_TICK_MS).unref()
  const window = 'window-mib' in values ? values['window-mib'] : undefined
  const windowMiB = window === undefined ? 96 : numberOf('window-mib', window, { min: 1, max: 4096 })
  const receiveWindow = Math.min(FIRST_WINDOW, windowMiB * MiB)
  return {
    udp: oneOf('udp', values.udp, ['auto', 'portable', 'batched', 'off']),
    encrypted: values['no-encrypt'] !== true,
    packetSize:
      values['packet-size'] === undefined
        ? 1442
        : numberOf('packet-size', values['packet-size'], { min: 600, max: 1442 }),
    settings: { policy: policyOf(values), limit, receiveWindow },
    windowGrowth: windowMiB * MiB - receiveWindow,
    limit,
    scaleRate(factor, currentBitsPerSecond) {
      const before = Math.min(limit.rate(), Math.max(MIN_RATE, currentBitsPerSecond))
      const rate = Math.max(MIN_RATE, (limit.rate() === Infinity ? before : limit.rate()) * factor)
      limit.setRate(systemMicros(), rate)
      return rate
    },
    stop: () => clearInterval(timer),
  }
}

function policyOf(values: SendValues | RecvValues): Policy {
  const kind = oneOf('policy', values.policy, ['fair', 'high', 'low', 'fixed'])
  if (kind !== 'fixed') return { kind }
  if (values.rate === undefined) throw new UsageError('--policy fixed needs --rate')
  return { kind, bitsPerSecond: rateOf('rate', values.rate) }
}
