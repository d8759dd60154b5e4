import { setTimeout as sleep } from 'node:timers/promises'
import { MiB } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { Attacker, HOSTILITIES } from '../testing/attacker.ts'
import { INTACT, LiveTransfer, Receiver } from '../testing/live-transfer.ts'

const PACKETS = 10_000
const SLOW = 8e6

describe('somebody on the way, who sees every packet and sends from any address', () => {
  it('does no harm to a live transfer and gets no answer: 10,000 random, mutated, replayed and transplanted packets (fault plan 46)', async () => {
    await using receiver = await Receiver.start()
    const attacker = await Attacker.start(receiver, 46)
    const filesBefore = await receiver.openFiles()
    {
      await using transfer = await LiveTransfer.start(receiver, {
        name: 'a.bin',
        seed: 1,
        mebibytes: 64,
        bitsPerSecond: SLOW,
      })
      attacker.watch(transfer.relay)
      await transfer.until(() => transfer.path.mode === 'udp')
      await transfer.untilMoved(2 * MiB)
      for (const kind of HOSTILITIES) {
        await attacker.flood(kind, PACKETS)
        await transfer.untilMoved(MiB)
      }
      expect(await transfer.finish()).toEqual(INTACT)
      expect([...(await receiver.files()).keys()]).toEqual(['a.bin'])
    }
    expect(attacker.own.bytesOut).toBeGreaterThan(MiB)
    expect(attacker.own.answers).toBe(0)
    // Threads and sockets of the transfer go after its last word.
    while ((await receiver.openFiles()) > filesBefore) await sleep(50)
    attacker.close()
    await receiver.program.stop('SIGTERM')
    expect(receiver.program.child.exitCode).toBe(0)
  })

  it('changes nothing with the packets of a finished transfer, alone and beside a live one: 10,000 each (T65)', async () => {
    await using receiver = await Receiver.start()
    const attacker = await Attacker.start(receiver, 65)
    const first = { name: 'a.bin', seed: 1, mebibytes: 16, bitsPerSecond: SLOW }
    {
      await using transfer = await LiveTransfer.start(receiver, first)
      attacker.watch(transfer.relay)
      await transfer.until(() => transfer.path.mode === 'udp')
      await transfer.untilMoved(4 * MiB)
      await transfer.finish()
      await receiver.program.named('done')
      const before = await receiver.state()
      await attacker.flood('replayed', PACKETS)
      expect(await receiver.state()).toEqual(before)
    }
    {
      await using transfer = await LiveTransfer.start(receiver, { ...first, name: 'b.bin', seed: 2, mebibytes: 64 })
      attacker.watch(transfer.relay)
      await transfer.until(() => transfer.path.mode === 'udp')
      await attacker.flood('replayed', PACKETS)
      await attacker.flood('transplanted', PACKETS)
      expect(await transfer.finish()).toEqual(INTACT)
      expect([...(await receiver.files()).keys()]).toEqual(['a.bin', 'b.bin'])
    }
    expect(attacker.own.answers).toBe(0)
    attacker.close()
  })
})
