import { connect as tlsConnect } from 'node:tls'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { HalfOpenCrowd, MOST_CROWD_MIB } from '../testing/half-open-crowd.ts'
import { INTACT, Receiver, transferWhole } from '../testing/live-transfer.ts'
import { CLIENT_TLS } from '../codes/code-proof.ts'

const CALLERS = 2000
/** The receiver keeps this many of them. */
const KEPT = 256

describe('callers who begin a handshake and never end it', () => {
  it('cost little memory, are cut off when they are too many or too slow, and keep nobody out: 2,000 (T64)', async () => {
    await using receiver = await Receiver.start()
    const crowd = await HalfOpenCrowd.gather(receiver)
    await crowd.call(CALLERS)
    await crowd.untilWaiting(KEPT)
    expect(await crowd.shout(CALLERS)).toBe(0)
    expect(crowd.costMiB).toBeLessThan(MOST_CROWD_MIB)
    expect(await transferWhole(receiver, 'a.bin')).toEqual(INTACT)
    await crowd.untilWaiting(0)
  })

  it('nor do those who end the handshake and then say nothing, or a long first frame byte by byte (T64)', async () => {
    await using receiver = await Receiver.start()
    const { host, port } = receiver
    const callers = await Promise.all(
      ['', '01000fff', '01010101', '01ffffff', 'ff000001'].map(async (words) => {
        const socket = tlsConnect({
          ...CLIENT_TLS,
          host,
          port,
          minVersion: 'TLSv1.3',
          ALPNProtocols: ['gwt/1'],
        })
        socket.on('error', () => undefined)
        const closed = new Promise((resolve) => socket.on('close', resolve))
        await once(socket, 'secureConnect')
        socket.resume()
        if (words === '') return closed
        socket.write(Buffer.from(words, 'hex'))
        for (let left = 1000; left > 0 && socket.writable; left--) {
          socket.write(Buffer.of(1))
          if (left % 10 === 0) await sleep(1)
        }
        return closed
      }),
    )
    await Promise.all(callers)
    expect(await transferWhole(receiver, 'a.bin')).toEqual(INTACT)
  })
})
