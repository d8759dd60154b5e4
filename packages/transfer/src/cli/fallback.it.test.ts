import { MiB } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { INTACT, LiveTransfer, Receiver } from '../testing/live-transfer.ts'
import { UDP_CUTS } from '../testing/relay.ts'

describe('a transfer whose network stops UDP in the middle', () => {
  it.each(UDP_CUTS)('%s goes on over TCP, says so, comes back to UDP and ends whole', async (_way, lost) => {
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

    relay.cutUdp(lost)
    await transfer.until(() => transfer.path.mode === 'tcp')
    const report = transfer.paths.at(-1)
    expect(['udp-silent', 'peer-chose']).toContain(report?.reason)
    expect(report?.text).toMatch(/UDP went silent \(no answer for .* s\)|the peer changed to TCP/)
    expect(report?.text).toMatch(/using \d TCP stream/)
    await receiver.program.until(({ event, mode }) => event === 'path' && mode === 'tcp')
    await transfer.untilMoved(MiB)
    expect(relay.carried.tcp).toBeGreaterThan(0)

    relay.cutUdp([])
    await transfer.untilOverUdp()

    expect(await transfer.finish()).toEqual(INTACT)
    expect([...(await receiver.files()).keys()]).toEqual(['a.bin'])
  })
})
