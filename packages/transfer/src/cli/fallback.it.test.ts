import { MiB } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { LiveTransfer, Receiver } from '../testing/live-transfer.ts'
import type { Side } from '../testing/relay.ts'

const BLOCKS: ReadonlyArray<readonly [string, readonly Side[]]> = [
  ['both ways', ['client', 'server']],
  ['towards the receiver', ['client']],
  ['towards the sender', ['server']],
]

describe('a transfer whose network stops UDP in the middle', () => {
  it.each(BLOCKS)('%s goes on over TCP, says so, comes back to UDP and ends whole', async (_way, blocked) => {
    await using receiver = await Receiver.start()
    await using transfer = await LiveTransfer.start(receiver, {
      name: 'a.bin',
      seed: 3,
      mebibytes: 64,
      bitsPerSecond: 8e6,
    })
    const { relay } = transfer
    await transfer.until(() => transfer.path.mode === 'udp')
    await transfer.untilMoved(MiB)

    relay.passes = (by) => !blocked.includes(by)
    await transfer.until(() => transfer.path.mode === 'tcp')
    const report = transfer.paths.at(-1)
    expect(['udp-silent', 'peer-chose']).toContain(report?.reason)
    expect(report?.text).toMatch(/UDP went silent \(no answer for .* s\)|the peer changed to TCP/)
    expect(report?.text).toMatch(/using \d TCP stream/)
    await receiver.program.until(({ event, mode }) => event === 'path' && mode === 'tcp')
    await transfer.untilMoved(MiB)
    expect(relay.carried.tcp).toBeGreaterThan(0)

    relay.passes = () => true
    await transfer.until(() => transfer.path.mode === 'udp')
    const overUdp = relay.carried.udp
    await transfer.until(() => relay.carried.udp > overUdp + 1000)

    expect((await transfer.finish()).failures).toEqual([])
    const files = await receiver.files()
    expect([...files.keys()]).toEqual(['a.bin'])
    expect(files.get('a.bin')?.equals(transfer.bytes)).toBe(true)
  })
})
