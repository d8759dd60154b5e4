import { setTimeout as sleep } from 'node:timers/promises'
import { MiB } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { LiveTransfer, Receiver } from '../testing/live-transfer.ts'
import type { Side } from '../testing/relay.ts'

const ROUNDS = 10
const MAX_GAP_MS = 2000
/** Longer than a silent path lives. */
const LONG_BLOCK_MS = 40_000
const BLOCKS: ReadonlyArray<readonly [string, readonly Side[]]> = [
  ['both ways', ['client', 'server']],
  ['towards the receiver', ['client']],
  ['towards the sender', ['server']],
]

describe('UDP stopped in the middle of a transfer', () => {
  it.each(BLOCKS)('%s: bytes stand still for 2 s at most, ten times there and back', async (_way, blocked) => {
    await using receiver = await Receiver.start()
    await using transfer = await startLong(receiver)
    const gaps: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await overUdp(transfer)
      transfer.relay.resetGap()
      transfer.relay.passes = (by) => !blocked.includes(by)
      await transfer.until(() => transfer.path.mode === 'tcp')
      await transfer.untilMoved(2 * MiB)
      transfer.relay.passes = () => true
      await overUdp(transfer)
      gaps.push(Math.round(transfer.relay.longestGapMs))
    }
    console.log(`${blocked.join(' and ')} silent: longest gaps ${gaps.join(', ')} ms`)
    expect(Math.max(...gaps)).toBeLessThan(MAX_GAP_MS)
    await end(transfer, receiver)
  })

  it('for longer than a path lives, it comes back to UDP all the same', async () => {
    await using receiver = await Receiver.start()
    await using transfer = await startLong(receiver)
    await overUdp(transfer)
    transfer.relay.passes = () => false
    await transfer.until(() => transfer.path.mode === 'tcp')
    await sleep(LONG_BLOCK_MS)
    transfer.relay.passes = () => true
    await overUdp(transfer)
    await end(transfer, receiver)
  })
})

function startLong(receiver: Receiver): Promise<LiveTransfer> {
  return LiveTransfer.start(receiver, { name: 'a.bin', seed: 6, mebibytes: 1024, bitsPerSecond: 16e6 })
}

/** Until file bytes flow over UDP again. */
async function overUdp(transfer: LiveTransfer): Promise<void> {
  await transfer.until(() => transfer.path.mode === 'udp')
  const before = transfer.relay.carried.udp
  await transfer.until(() => transfer.relay.carried.udp > before + 1000)
}

async function end(transfer: LiveTransfer, receiver: Receiver): Promise<void> {
  expect((await transfer.finish()).failures).toEqual([])
  expect((await receiver.files()).get('a.bin')?.equals(transfer.bytes)).toBe(true)
}
