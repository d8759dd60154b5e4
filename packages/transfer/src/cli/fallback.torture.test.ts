import { setTimeout as sleep } from 'node:timers/promises'
import { MiB } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { INTACT, LiveTransfer, Receiver } from '../testing/live-transfer.ts'
import { UDP_CUTS } from '../testing/relay.ts'

const ROUNDS = 10
const MAX_GAP_MS = 2000
/** Longer than a silent path lives. */
const LONG_BLOCK_MS = 40_000

describe('UDP stopped in the middle of a transfer', () => {
  it.each(UDP_CUTS)('%s: bytes stand still for 2 s at most, ten times there and back', async (way, lost) => {
    await using receiver = await Receiver.start()
    await using transfer = await startLong(receiver)
    const gaps: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await transfer.untilOverUdp()
      transfer.relay.resetGap()
      transfer.relay.cutUdp(lost)
      await transfer.until(() => transfer.path.mode === 'tcp')
      await transfer.untilMoved(2 * MiB)
      transfer.relay.cutUdp([])
      await transfer.untilOverUdp()
      gaps.push(Math.round(transfer.relay.longestGapMs))
    }
    console.log(`${way}: longest gaps ${gaps.join(', ')} ms`)
    expect(Math.max(...gaps)).toBeLessThan(MAX_GAP_MS)
    expect(await transfer.finish()).toEqual(INTACT)
  })

  it('for longer than a path lives, it comes back to UDP all the same', async () => {
    await using receiver = await Receiver.start()
    await using transfer = await startLong(receiver)
    await transfer.untilOverUdp()
    transfer.relay.cutUdp(['client', 'server'])
    await transfer.until(() => transfer.path.mode === 'tcp')
    await sleep(LONG_BLOCK_MS)
    transfer.relay.cutUdp([])
    await transfer.untilOverUdp()
    expect(await transfer.finish()).toEqual(INTACT)
  })
})

function startLong(receiver: Receiver): Promise<LiveTransfer> {
  return LiveTransfer.start(receiver, { name: 'a.bin', seed: 6, mebibytes: 1024, bitsPerSecond: 16e6 })
}
