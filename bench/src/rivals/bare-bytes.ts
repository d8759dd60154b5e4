import fs from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import path from 'node:path'
import { MiB } from '@godwit/base'

/**
 * The least a Node server can do with bytes: received in batches of 1 MiB, written at their place and flushed every 8 MiB;
 * sent through one reused buffer of 1 MiB. No hash, no session, no database, no page.
 */
const [folder = '', port = '0'] = process.argv.slice(2)
const FLUSH_BYTES = 8 * MiB

createServer((req, res) => {
  const file = path.join(folder, path.basename(req.url ?? ''))
  ;(req.method === 'PUT' ? receive(req, file) : send(res, file)).then(
    () => res.end(),
    (error: unknown) => res.destroy(error as Error),
  )
}).listen(Number(port), '127.0.0.1', () => {
  process.stdout.write('ready\n')
})

async function receive(req: IncomingMessage, file: string): Promise<void> {
  const handle = await fs.open(file, 'w')
  let batch: Buffer[] = []
  let [waiting, written, flushed] = [0, 0, 0]
  let writing: Promise<unknown> = Promise.resolve()
  let flushing: Promise<unknown> = Promise.resolve()
  const write = async (): Promise<void> => {
    await writing
    const [chunks, position] = [batch, written]
    written += waiting
    ;[batch, waiting] = [[], 0]
    writing = handle.writev(chunks, position)
    if (written - flushed < FLUSH_BYTES) return
    flushed = written
    await flushing
    flushing = writing.then(() => handle.datasync())
  }
  for await (const chunk of req as AsyncIterable<Buffer>) {
    batch.push(chunk)
    waiting += chunk.length
    if (waiting >= MiB) await write()
  }
  await write()
  await Promise.all([writing, flushing])
  await handle.datasync()
  await handle.close()
}

async function send(res: ServerResponse, file: string): Promise<void> {
  const handle = await fs.open(file, 'r')
  const { size } = await handle.stat()
  res.writeHead(200, { 'content-length': size })
  const buffer = Buffer.allocUnsafeSlow(MiB)
  for (let at = 0; at < size;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at)
    at += bytesRead
    await new Promise<void>((resolve, reject) => {
      res.write(buffer.subarray(0, bytesRead), (error) => (error ? reject(error) : resolve()))
    })
  }
  await handle.close()
}
