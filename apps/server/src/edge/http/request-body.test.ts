import http, { type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KiB, MiB, systemClock } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { BodyMemory } from './body-memory.ts'
import { DroppedBodies } from './dropped-bodies.ts'
import { RequestBody } from './request-body.ts'

/** Lets `work` handle one request, whose client is in the hand of the test. */
async function withRequest(
  work: (req: IncomingMessage, client: http.ClientRequest) => Promise<void>,
): Promise<http.IncomingMessage | undefined> {
  const server = http.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = http.request({ port: (server.address() as AddressInfo).port, method: 'PUT', agent: false })
  const answered = new Promise<http.IncomingMessage | undefined>((resolve) => {
    client.once('response', resolve).once('error', () => resolve(undefined))
  })
  const handled = new Promise<void>((resolve, reject) => {
    server.once('request', (req: IncomingMessage, res: http.ServerResponse) => {
      work(req, client)
        .then(() => res.end('done'))
        .then(() => resolve(), reject)
    })
  })
  client.flushHeaders()
  try {
    await handled
    return await answered
  } finally {
    client.destroy()
    server.closeAllConnections()
    server.close()
  }
}

describe('the body of a request', () => {
  it('passes every byte in order and ends', async () => {
    await withRequest(async (req, client) => {
      const sent = Buffer.from(Uint8Array.from({ length: 3 * MiB + 7 }, (_, index) => index * 31))
      client.end(sent)
      const got: Uint8Array[] = []
      for await (const chunk of new RequestBody(req, new BodyMemory(32 * MiB), new DroppedBodies(systemClock)))
        got.push(chunk)
      expect(Buffer.concat(got).equals(sent)).toBe(true)
    })
  })

  it('slows the sender down instead of keeping what nobody takes', async () => {
    await withRequest(async (req, client) => {
      const body = new RequestBody(req, new BodyMemory(32 * MiB), new DroppedBodies(systemClock))
      client.write(Buffer.alloc(32 * MiB))
      await body.next()
      while (!req.isPaused()) await new Promise((resolve) => setImmediate(resolve))
      let waiting = 0
      req.on('data', (chunk: Buffer) => (waiting += chunk.length))
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(waiting).toBeLessThan(128 * KiB)
      client.destroy()
    })
  })

  it('left early leaves the connection to the answer', async () => {
    const answer = await withRequest(async (req, client) => {
      client.end(Buffer.alloc(4 * MiB))
      const body = new RequestBody(req, new BodyMemory(32 * MiB), new DroppedBodies(systemClock))
      await body.next()
      await body.return()
      expect(await body.next()).toEqual({ done: true, value: undefined })
      req.resume()
    })
    expect(answer?.statusCode).toBe(200)
  })

  it('reports that the sender went away', async () => {
    await withRequest(async (req, client) => {
      const body = new RequestBody(req, new BodyMemory(32 * MiB), new DroppedBodies(systemClock))
      client.write(Buffer.alloc(KiB))
      await body.next()
      const next = body.next()
      client.destroy()
      await expect(next).rejects.toThrow(/cut|aborted/)
      await expect(body.next()).rejects.toThrow(/cut|aborted/)
    })
  })
})
