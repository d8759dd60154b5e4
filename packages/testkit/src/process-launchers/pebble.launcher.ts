import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { launch, run } from './program.ts'

/** An authority that signs what it has proven by HTTP, as Let's Encrypt does, and a name server that leads every name here. */
export interface Pebble {
  /** Of the directory (RFC 8555). */
  readonly directory: string
  /** Who signed the certificate of the directory, PEM. */
  readonly ca: string
  stop(): Promise<void>
}

export interface PebbleOptions {
  /** Where the authority asks the hosts for their proof, in place of port 80. */
  readonly httpPort: number
  /** Life of its certificates, in seconds; default 90 days. */
  readonly validitySeconds?: number
}

const LIFE_SECONDS = 90 * 24 * 3600

/**
 * It refuses one nonce in twenty, so that whoever asks must be able to ask again: with more, five refusals in a row would end an
 * order in one run of the tests out of thirty.
 */
export async function launchPebble({ httpPort, validitySeconds = LIFE_SECONDS }: PebbleOptions): Promise<Pebble> {
  const folder = await mkdtemp(join(tmpdir(), 'godwit-pebble-'))
  const [key, ca] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const certificate = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', ca, '-days', '2']
  const names = ['-addext', 'subjectAltName=DNS:localhost']
  await run(['openssl', 'req', '-x509', '-subj', '/CN=localhost', ...certificate, ...names])
  const [port, managementPort, namePort, tlsPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  const configuration = join(folder, 'pebble.json')
  const settings = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    ...{ certificate: ca, privateKey: key, httpPort, tlsPort, ocspResponderURL: '' },
    ...{ externalAccountBindingRequired: false, certificateValidityPeriod: validitySeconds },
  }
  await writeFile(configuration, JSON.stringify({ pebble: settings }))
  const off = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-management', '', '-defaultIPv6', '']
  const nameServer = await launch(['pebble-challtestsrv', '-dns01', `127.0.0.1:${namePort}`, ...off], {
    isReady: () => listens(namePort),
  })
  const authority = await launch(['pebble', '-config', configuration, '-dnsserver', `127.0.0.1:${namePort}`], {
    env: { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '5', PEBBLE_AUTHZREUSE: '0' },
    isReady: () => listens(port),
  })
  return {
    directory: `https://localhost:${port}/dir`,
    ca: await readFile(ca, 'utf8'),
    async stop() {
      await authority.end('SIGKILL')
      await nameServer.end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
