import dgram from 'node:dgram'
import { once } from 'node:events'
import net from 'node:net'
import tls from 'node:tls'
import { CollectorStalled, OtherCertificate } from './syslog.reasons.ts'
import { framed } from './syslog.format.ts'

/** Where messages go. */
export interface Collector {
  readonly transport: 'tls' | 'tcp' | 'udp'
  readonly host: string
  readonly port: number
  /** SHA-256 of the only certificate that is accepted; '' asks the authorities of the system. */
  readonly fingerprint: string
}

const CONNECT_MS = 10_000
/** A collector that read everything closes its side; one that does not has had it in its buffers for so long. */
const CLOSE_MS = 3_000
/** A collector that takes no further byte for so long has stopped reading. */
const STALL_MS = 20_000

/**
 * Brings messages to a collector. Over TLS and TCP they are there when this resolves: the collector has seen the end of the
 * stream. Over UDP they have left, which is all there is to know.
 * @throws Error saying what failed; some of the messages may have arrived
 */
export async function deliver(
  collector: Collector,
  messages: readonly string[],
  signal: AbortSignal,
  stallMs = STALL_MS,
): Promise<void> {
  if (collector.transport === 'udp') return sendDatagrams(collector, messages)
  const socket = await connected(collector, signal)
  try {
    const ended = endOf(socket, signal, stallMs)
    socket.end(messages.map(framed).join(''))
    await ended
  } finally {
    socket.destroy()
  }
}

async function connected(collector: Collector, signal: AbortSignal): Promise<net.Socket> {
  const { transport, host, port } = collector
  const socket = transport === 'tls' ? securely(collector) : net.connect({ host, port })
  const limit = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)])
  try {
    await once(socket, transport === 'tls' ? 'secureConnect' : 'connect', { signal: limit })
    if (socket instanceof tls.TLSSocket) requireFingerprint(socket, collector.fingerprint)
    return socket
  } catch (thrown) {
    socket.destroy()
    throw thrown
  }
}

function securely({ host, port, fingerprint }: Collector): tls.TLSSocket {
  return tls.connect({
    ...{ host, port, minVersion: 'TLSv1.2' },
    ...(net.isIP(host) === 0 ? { servername: host } : {}),
    // With a fingerprint that one certificate is trusted and no other, whoever signed it.
    rejectUnauthorized: fingerprint === '',
  })
}

function requireFingerprint(socket: tls.TLSSocket, wanted: string): void {
  if (wanted === '') return
  const { fingerprint256 } = socket.getPeerCertificate()
  if (fingerprint256.toUpperCase() !== wanted.toUpperCase()) throw new OtherCertificate(fingerprint256)
}

/** Resolves when the other side closed after the last byte, and rejects when the connection broke or stood still before. */
async function endOf(socket: net.Socket, signal: AbortSignal, stallMs: number): Promise<void> {
  socket.resume()
  const done = Promise.withResolvers<void>()
  const abort = (): void => done.reject(signal.reason as Error)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  socket.setTimeout(stallMs, () => done.reject(new CollectorStalled()))
  socket.once('error', done.reject)
  socket.once('close', () => done.resolve())
  socket.once('finish', () => setTimeout(done.resolve, CLOSE_MS).unref())
  try {
    await done.promise
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

async function sendDatagrams({ host, port }: Collector, messages: readonly string[]): Promise<void> {
  const socket = dgram.createSocket(net.isIPv6(host) ? 'udp6' : 'udp4')
  try {
    for (const message of messages) {
      await new Promise<void>((resolve, reject) => {
        socket.send(message, port, host, (error) => (error === null ? resolve() : reject(error)))
      })
    }
  } finally {
    socket.close()
  }
}
