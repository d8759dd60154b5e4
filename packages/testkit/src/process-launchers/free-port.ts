import { createServer } from 'node:net'

/** A TCP port of 127.0.0.1 that is free now; for programs that cannot choose one and report it. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done, failed) => server.once('error', failed).listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise<void>((done) => server.close(() => done()))
  if (address === null || typeof address === 'string') throw new Error('a TCP server without a port')
  return address.port
}
