import { once } from 'node:events'
import { connect, createServer, type NetConnectOpts, type Server } from 'node:net'
import { join } from 'node:path'
import { launch } from '@godwit/testkit'

export interface Bridge extends AsyncDisposable {
  /** On the loopback device of this process. */
  readonly port: string
}

/**
 * Leads to a port on the loopback device of a computer with a network of its own, by a socket of the file system: neither network is touched.
 * @param from `folder` takes the socket
 */
export async function bridgePort(from: {
  readonly folder: string
  readonly port: string
  readonly computer: readonly string[]
}): Promise<Bridge> {
  const path = join(from.folder, 'bridge')
  const [first, ...rest] = [...from.computer, process.execPath, import.meta.filename, path, from.port]
  const far = await launch([first ?? process.execPath, ...rest], { isReady: (output) => output.includes('ready') })
  const near = forward({ path })
  near.listen(0, '127.0.0.1')
  await once(near, 'listening')
  const address = near.address()
  return {
    port: typeof address === 'object' ? String(address?.port) : '',
    async [Symbol.asyncDispose]() {
      near.close()
      await far.end('SIGTERM')
    },
  }
}

function forward(to: NetConnectOpts): Server {
  return createServer((incoming) => {
    const outgoing = connect(to)
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
}

if (import.meta.main) {
  const [path = '', port] = process.argv.slice(2)
  forward({ host: '127.0.0.1', port: Number(port) }).listen(path, () => process.stdout.write('ready\n'))
}
