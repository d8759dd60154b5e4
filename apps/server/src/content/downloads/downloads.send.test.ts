import http, { type ServerResponse } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { MiB } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { write } from './downloads.send.ts'

/** Hands over the response to a client that never reads. */
async function withResponse(work: (res: ServerResponse, client: net.Socket) => Promise<void>): Promise<void> {
  const server = http.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = net.connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => {}).pause()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('request', (_req, res: ServerResponse) => {
        work(res, client).then(resolve, reject)
      })
      client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    })
  } finally {
    client.destroy()
    server.closeAllConnections()
    server.close()
  }
}

describe('writing to a reader', () => {
  it('ends when the reader goes away in the middle', async () => {
    await withResponse(async (res, client) => {
      const written = write(res, Buffer.alloc(64 * MiB))
      client.destroy()
      await expect(written).rejects.toThrow(/went away|destroyed|aborted|ECONNRESET|EPIPE/)
    })
  })

  it('ends when the socket is broken already and the response does not know it yet', async () => {
    await withResponse(async (res) => {
      res.writeHead(200, { 'content-length': MiB }).flushHeaders()
      res.socket?.destroy()
      await expect(write(res, Buffer.alloc(MiB))).rejects.toThrow(/went away|destroyed|aborted|ECONNRESET|EPIPE/)
    })
  })

  it('ends when the response is closed', async () => {
    await withResponse(async (res) => {
      res.socket?.destroy()
      await new Promise((resolve) => res.once('close', resolve))
      await expect(write(res, Buffer.alloc(MiB))).rejects.toThrow(/went away|destroyed|aborted|ECONNRESET|EPIPE/)
    })
  })
})
