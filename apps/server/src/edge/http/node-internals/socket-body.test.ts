import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import { KiB, MiB, systemClock } from '@godwit/base'
import type { BlockLender } from '@godwit/storage'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BodyMemory } from '../body-memory.ts'
import { DroppedBodies } from '../dropped-bodies.ts'
import { SocketBody } from './socket-body.ts'
import { hasDescriptor, takeArrived } from './socket-bytes.ts'

const BLOCK_BYTES = 64 * KiB
const CONTENT = Buffer.from(Uint8Array.from({ length: 2 * MiB }, (_, at) => (at * 2_654_435_761) >>> 11))

/** Small blocks, so that a small body shows all that a big one does. */
class Blocks implements BlockLender {
  readonly #free: Uint8Array[]
  readonly #lent = new Map<number, () => void>()

  constructor(count: number) {
    const memory = new ArrayBuffer(count * BLOCK_BYTES)
    this.#free = Array.from({ length: count }, (_, at) => new Uint8Array(memory, at * BLOCK_BYTES, BLOCK_BYTES))
  }

  get lentCount(): number {
    return this.#lent.size
  }

  borrow(onReturned: () => void): Uint8Array | undefined {
    const block = this.#free.pop()
    if (block !== undefined) this.#lent.set(block.byteOffset, onReturned)
    return block
  }

  release(chunk: Uint8Array): void {
    const onReturned = this.#lent.get(chunk.byteOffset)
    if (!this.owns(chunk) || onReturned === undefined) return
    this.#lent.delete(chunk.byteOffset)
    this.#free.push(new Uint8Array(chunk.buffer, chunk.byteOffset, BLOCK_BYTES))
    onReturned()
  }

  owns(chunk: Uint8Array): boolean {
    return chunk.byteLength > 0 && chunk.buffer.byteLength % BLOCK_BYTES === 0 && this.#lent.has(chunk.byteOffset)
  }
}

let listener: net.Server
beforeAll(async () => {
  listener = net.createServer({ allowHalfOpen: true, pauseOnConnect: true }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
})
afterAll(() => listener.close())

interface Opened {
  readonly body: SocketBody
  readonly server: Socket
  readonly client: Socket
  /** What came behind the body, once all of it has arrived. */
  readonly whole: Promise<Buffer>
}

async function opened(length: number, head = Buffer.alloc(0)): Promise<Opened> {
  const arrived = once(listener, 'connection') as Promise<[Socket]>
  const client = net.connect((listener.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => undefined)
  const [server] = await arrived
  server.on('error', () => undefined)
  const { promise: whole, resolve: onWhole } = Promise.withResolvers<Buffer>()
  const body = new SocketBody(
    { socket: server, length, memory: new BodyMemory(32 * MiB), dropped: new DroppedBodies(systemClock), onWhole },
    head,
  )
  return { body, server, client, whole }
}

/** Takes all, keeps each chunk for a while and gives it back then, as a store does that writes it meanwhile. */
async function taken(body: SocketBody, blocks: Blocks, pauses: readonly number[] = [0]): Promise<Buffer> {
  const got: Buffer[] = []
  const writes: Array<Promise<void>> = []
  let turn = 0
  for await (const chunk of body) {
    await writes.at(-1)
    const pause = pauses[turn++ % pauses.length] ?? 0
    const write = async (): Promise<void> => {
      if (pause > 0) await after(pause)
      got.push(Buffer.from(chunk))
      blocks.release(chunk)
    }
    writes.push(write())
  }
  await Promise.all(writes)
  return Buffer.concat(got)
}

describe('a body read from its connection', () => {
  it('gives every byte once and in order, whatever the pieces, the blocks and the pauses; all blocks come back', async () => {
    const cases = fc.record({
      length: fc.integer({ min: 1, max: CONTENT.length }),
      head: fc.integer({ min: 0, max: 20_000 }),
      surplus: fc.integer({ min: 0, max: 5_000 }),
      pieces: fc
        .array(fc.integer({ min: 1, max: 300_000 }), { minLength: 1, maxLength: 5 })
        .map((sizes) => [...sizes, 70_001]),
      sendPauses: fc.array(fc.constantFrom(0, 0, 0, 1, 3), { minLength: 1, maxLength: 4 }),
      takePauses: fc.array(fc.constantFrom(0, 0, 1, 5), { minLength: 1, maxLength: 4 }),
      blocks: fc.integer({ min: 0, max: 6 }),
    })
    await fc.assert(
      fc.asyncProperty(cases, async (given) => {
        const head = Math.min(given.head, given.length)
        const { body, client, whole } = await opened(given.length, CONTENT.subarray(0, head))
        const blocks = new Blocks(given.blocks)
        body.fillFrom(blocks)
        const behind = CONTENT.subarray(0, given.surplus)
        const rest = Buffer.concat([CONTENT.subarray(head, given.length), behind])
        const send = async (): Promise<void> => {
          for (let at = 0, turn = 0; at < rest.length; turn++) {
            const size = given.pieces[turn % given.pieces.length] ?? 1
            client.write(rest.subarray(at, at + size))
            at += size
            const pause = given.sendPauses[turn % given.sendPauses.length] ?? 0
            if (pause > 0) await after(pause)
          }
        }
        const [got] = await Promise.all([taken(body, blocks, given.takePauses), send()])
        expect(got.equals(CONTENT.subarray(0, given.length))).toBe(true)
        // Bytes behind the body stay in the connection unless they came in one piece with its end.
        const surplus = await whole
        expect(behind.subarray(0, surplus.length).equals(surplus)).toBe(true)
        body.close()
        expect(blocks.lentCount).toBe(0)
        client.destroy()
      }),
      { numRuns: 60 },
    )
  })

  it('fills blocks: most bytes of a fast sender need no copy', async () => {
    const { body, client } = await opened(CONTENT.length)
    const blocks = new Blocks(4)
    body.fillFrom(blocks)
    client.write(CONTENT)
    let inBlocks = 0
    for await (const chunk of body) {
      if (blocks.owns(chunk)) inBlocks += chunk.length
      blocks.release(chunk)
    }
    expect(inBlocks).toBe(CONTENT.length)
    client.destroy()
  })

  it('hands on what a slow sender has sent and lets go of the block', async () => {
    const { body, client } = await opened(10_000)
    const blocks = new Blocks(1)
    body.fillFrom(blocks)
    client.write(CONTENT.subarray(0, 4_000))
    const first = await body.next()
    expect(first.value).toHaveLength(4_000)
    expect(blocks.lentCount).toBe(0)
    client.write(CONTENT.subarray(4_000, 10_000))
    expect((await body.next()).value).toHaveLength(6_000)
    expect((await body.next()).done).toBe(true)
    client.destroy()
  })

  it('keeps no more than its share, and as many blocks as one writer needs, while nobody takes', async () => {
    for (const count of [0, 16]) {
      const { body, client, server } = await opened(64 * MiB)
      const blocks = new Blocks(count)
      body.fillFrom(blocks)
      client.write(Buffer.alloc(64 * MiB))
      await body.next()
      while (!server.isPaused()) await new Promise((resolve) => setImmediate(resolve))
      await after(50)
      expect(server.bytesRead).toBeLessThan(2 * MiB)
      expect(blocks.lentCount).toBeLessThanOrEqual(4)
      client.destroy()
      body.close()
      expect(blocks.lentCount).toBe(0)
    }
  })

  it('reports that the sender went away, after what had come', async () => {
    const { body, client } = await opened(MiB)
    const blocks = new Blocks(4)
    body.fillFrom(blocks)
    client.end(CONTENT.subarray(0, 100_000))
    const got: Uint8Array[] = []
    const all = (async () => {
      for await (const chunk of body) got.push(Buffer.from(chunk))
    })()
    await expect(all).rejects.toThrow('cut')
    expect(Buffer.concat(got).equals(CONTENT.subarray(0, 100_000))).toBe(true)
    await expect(body.next()).rejects.toThrow('cut')
    body.close()
    expect(blocks.lentCount).toBe(0)
    client.destroy()
  })

  it('left early reads on without keeping anything, and says when it was whole', async () => {
    const { body, client, whole } = await opened(CONTENT.length)
    const blocks = new Blocks(4)
    body.fillFrom(blocks)
    client.write(CONTENT)
    await body.next()
    await body.return()
    expect(await body.next()).toEqual({ done: true, value: undefined })
    body.close()
    expect(blocks.lentCount).toBe(0)
    await whole
    client.destroy()
  })

  it("takes nothing from a number that may be somebody else's once the connection is closed", async () => {
    const { server, client } = await opened(10)
    client.write(CONTENT.subarray(0, 10))
    const closed = once(server, 'close')
    server.destroy()
    await closed
    expect(takeArrived(server, Buffer.alloc(10))).toBe(0)
    expect(hasDescriptor(server)).toBe(false)
    client.destroy()
  })

  it('reads nothing below a TLS connection, whose descriptor holds cipher text', async () => {
    const { client, server } = await opened(CONTENT.length)
    client.write(CONTENT.subarray(0, 10))
    await once(server, 'readable')
    expect(hasDescriptor(server)).toBe(true)
    const encrypted = new TLSSocket(server, { isServer: true })
    encrypted.on('error', () => undefined)
    expect(hasDescriptor(encrypted)).toBe(false)
    expect(takeArrived(encrypted, Buffer.alloc(10))).toBe(0)
    encrypted.destroy()
    client.destroy()
  })

  it('cuts a sender that still sends long after nobody takes any more', async () => {
    const { body, client, server } = await opened(CONTENT.length)
    client.write(CONTENT.subarray(0, 10))
    const closed = once(server, 'close')
    body.close()
    await closed
    client.destroy()
  })
})
