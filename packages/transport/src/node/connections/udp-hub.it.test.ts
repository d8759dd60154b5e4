import { afterEach, describe, expect, it } from 'vitest'
import { openPort } from '../ports/open-port.ts'
import { type DatagramPort, type PortKind, systemMicros } from '../ports/port.types.ts'
import { type HubClient, UdpHub } from './udp-hub.ts'

const BACKENDS: PortKind[] = process.platform === 'linux' ? ['portable', 'batched'] : ['portable']
const SIZE = 1000
const opened: DatagramPort[] = []

async function open(kind: PortKind): Promise<DatagramPort> {
  const { port } = await openPort(kind, { host: '127.0.0.1', clock: systemMicros })
  opened.push(port)
  return port
}

afterEach(() => {
  for (const port of opened.splice(0)) port.close()
})

function packetFor(id: number): Buffer {
  return Buffer.alloc(SIZE, id)
}

describe.each(BACKENDS)('a hub on a %s port', (kind) => {
  it('finds the packets of its client behind those of a stranger that came with them', async () => {
    const [from, to] = [await open(kind), await open(kind)]
    const hub = new UdpHub(to, systemMicros)
    const arrived = new Promise<number>((resolve) => {
      let bytes = 0
      const client: HubClient = {
        connectionId: new Uint8Array(8).fill(7),
        onDatagrams(_now, { buffer }) {
          for (let at = 0; at < buffer.length; at += SIZE) if (buffer[at + 1] === 7) bytes += SIZE
          if (bytes >= 3 * SIZE) resolve(bytes)
          return true
        },
        onWake: () => Infinity,
      }
      hub.add(client)
    })
    from.start({ onDatagrams: () => false, onWake: () => Infinity })
    const batch = Buffer.concat([packetFor(1), packetFor(7), packetFor(2), packetFor(7), packetFor(7)])
    from.send(from.addressOf(to.local), { buffer: batch, length: batch.length, segmentSize: SIZE })
    expect(await arrived).toBe(3 * SIZE)
  })
})
