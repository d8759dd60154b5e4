import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { Attacker, HOSTILITIES } from '../testing/attacker.ts'
import { INTACT, LiveTransfer, Receiver } from '../testing/live-transfer.ts'

const PACKETS = 1_000_000
const CALM_MS = 10_000
/** Fault plan, row 46. */
const KEPT_SHARE = 0.8
const MAX_CORES = 1

describe('a live gwt recv under a million packets of each hostile kind', () => {
  it('keeps 80 % of the rate, takes one core at most, answers nothing and ends whole (fault plan 46, T65)', async () => {
    await using receiver = await Receiver.start()
    const attacker = await Attacker.start(receiver, 46)
    await using transfer = await LiveTransfer.start(receiver, {
      name: 'a.bin',
      seed: 1,
      mebibytes: 1024,
      bitsPerSecond: 16e6,
    })
    attacker.watch(transfer.relay)
    await transfer.until(() => transfer.path.mode === 'udp')
    const calm = await during(transfer, receiver, () => sleep(CALM_MS))
    for (const kind of HOSTILITIES) {
      const storm = await during(transfer, receiver, () => attacker.flood(kind, PACKETS))
      const rate = `${Math.round((PACKETS / storm.ms) * 1000)} packets/s`
      console.log(
        `${kind}: ${rate}, ${(storm.rate / calm.rate).toFixed(2)} of the rate, ${storm.cores.toFixed(2)} cores`,
      )
      expect(storm.rate).toBeGreaterThan(KEPT_SHARE * calm.rate)
      expect(storm.cores).toBeLessThan(MAX_CORES)
    }
    expect(await transfer.finish()).toEqual(INTACT)
    expect(attacker.own.answers).toBe(0)
    attacker.close()
  })
})

/** Bytes a millisecond that arrived, and cores that the receiver took, while something is done. */
async function during(transfer: LiveTransfer, receiver: Receiver, what: () => Promise<unknown>) {
  const begun = { at: systemClock.monotonic(), done: transfer.done, cpu: await receiver.cpuSeconds() }
  await what()
  const ms = systemClock.monotonic() - begun.at
  const cores = ((await receiver.cpuSeconds()) - begun.cpu) / (ms / 1000)
  return { ms, rate: (transfer.done - begun.done) / ms, cores }
}
