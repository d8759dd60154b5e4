import { afterEach, describe, expect, it } from 'vitest'
import { openPort } from './open-port.ts'
import { type DatagramPort, type PortKind, systemMicros } from './port.types.ts'

const BACKENDS: PortKind[] = process.platform === 'linux' ? ['portable', 'batched'] : ['portable']
const opened: DatagramPort[] = []

async function open(kind: PortKind, host: string): Promise<DatagramPort> {
  const { port } = await openPort(kind, { host, clock: systemMicros })
  opened.push(port)
  return port
}

afterEach(() => {
  for (const port of opened.splice(0)) port.close()
})

/** Collects datagrams, splitting merged ones, until `count` came. */
function collect(port: DatagramPort, count: number): Promise<Array<{ bytes: Uint8Array; from: number }>> {
  const got: Array<{ bytes: Uint8Array; from: number }> = []
  return new Promise((resolve) => {
    port.start({
      onDatagrams({ buffer, segmentSize, from }) {
        for (let at = 0; at < buffer.length; at += segmentSize)
          got.push({ bytes: buffer.slice(at, at + segmentSize), from })
        if (got.length >= count) resolve(got)
        return true
      },
      onWake: () => Infinity,
    })
  })
}

for (const sending of BACKENDS)
  for (const receiving of BACKENDS)
    for (const host of ['127.0.0.1', '::1'])
      describe(`datagrams from a ${sending} to a ${receiving} port on ${host}`, () => {
        it('arrive whole, in order, with the sender known, the short last one too', async () => {
          const [from, to] = [await open(sending, host), await open(receiving, host)]
          const batch = Uint8Array.from({ length: 1442 * 39 + 77 }, (_value, index) => index % 251)
          const arrived = collect(to, 40)
          from.start({ onDatagrams: () => false, onWake: () => Infinity })
          expect(from.send(from.addressOf(to.local), { buffer: batch, length: batch.length, segmentSize: 1442 })).toBe(
            true,
          )
          const got = await arrived
          expect(got.map(({ bytes }) => bytes.length)).toEqual([...new Array<number>(39).fill(1442), 77])
          expect(Buffer.concat(got.map(({ bytes }) => bytes)).equals(batch)).toBe(true)
          expect(to.endpointOf(got[0]?.from ?? 0)?.port).toBe(from.local.port)
        })

        it('answers reach the number a datagram came with', async () => {
          const [from, to] = [await open(sending, host), await open(receiving, host)]
          const asked = collect(to, 1)
          const answered = collect(from, 1)
          from.send(from.addressOf(to.local), { buffer: Uint8Array.of(1, 2, 3), length: 3, segmentSize: 3 })
          const [question] = await asked
          to.send(question?.from ?? 0, { buffer: Uint8Array.of(4, 5), length: 2, segmentSize: 2 })
          const [answer] = await answered
          expect([...(answer?.bytes ?? [])]).toEqual([4, 5])
        })
      })

describe.each(BACKENDS.filter((kind) => kind === 'batched'))('a %s port', (kind) => {
  it('knows how long a datagram has waited for this program to look', async () => {
    const PAUSE_MS = 50
    const [from, to] = [await open(kind, '127.0.0.1'), await open(kind, '127.0.0.1')]
    const bytes = Uint8Array.of(1, 2, 3)
    from.send(from.addressOf(to.local), { buffer: bytes, length: bytes.length, segmentSize: bytes.length })
    // Nothing of this program runs meanwhile.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
    const ageUs = await new Promise<number>((resolve) => {
      to.start({
        onDatagrams(received) {
          resolve(received.ageUs)
          return true
        },
        onWake: () => Infinity,
      })
    })
    // The clock that stamps arrivals may be slewed a little.
    expect(ageUs).toBeGreaterThan(PAUSE_MS * 900)
  })
})
