import { ticketServerTls } from '@godwit/transfer/endpoints'
import type { Decision, Listener } from '@godwit/transport/node'
import type { Rendezvous } from '../../exchange/rendezvous/index.ts'
import type { Admitted, TransferDoor, TransferPort, Transfers } from '../../exchange/transfers/index.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'

interface Opened {
  readonly listener: Listener
  readonly port: TransferPort
}

export interface UdpFeatureDeps {
  readonly transfers: Transfers
  readonly rendezvous: Pick<Rendezvous, 'rooms'>
}

/** Opens the transfer port: TLS 1.3 over TCP for control and fallback, UDP of the same number for data. */
export function udpFeature(kernel: Kernel, { transfers, rendezvous }: UdpFeatureDeps): Feature {
  const { config, log, listening } = kernel
  let opening: Promise<Opened | undefined> = Promise.resolve(undefined)

  async function open(): Promise<Opened | undefined> {
    const { transferPortSwitch, transferPort, packageSize } = await transfers.settings()
    if (transferPortSwitch === 0) return undefined
    // A main port that was left to chance has no neighbour that is known to be free.
    const besideMain = config.port === 0 ? 0 : listening.port + 1
    const reflects = (ticket: Uint8Array): boolean => rendezvous.rooms.reflects(ticket)
    const wanted = { host: listening.host, port: transferPort || besideMain, packetSize: packageSize, reflects }
    try {
      const listener = await listenAt(wanted, transfers.door).catch((thrown: unknown) => {
        // Nobody chose this port, and clients ask for it: any other does as well where no firewall stands between.
        if (transferPort !== 0) throw thrown
        log.warn({ err: thrown, port: wanted.port }, 'the port after the main one is taken, so another one is used')
        return listenAt({ ...wanted, port: 0 }, transfers.door)
      })
      const { local, udpPort } = listener
      log.info({ port: local.port, udpPort, engines: listener.engines }, 'the transfer port is open')
      return { listener, port: { port: local.port, udpPort, packetSize: packageSize } }
    } catch (thrown) {
      log.error({ err: thrown, port: wanted.port }, 'the transfer port could not be opened')
      return undefined
    }
  }

  return defineFeature({
    name: 'udp',
    // Pages are served meanwhile: whoever asks for a ticket waits.
    async start() {
      opening = open()
      transfers.opens(opening.then((opened) => opened?.port))
    },
    async stop() {
      await (await opening)?.listener.close()
    },
  })
}

interface Wanted {
  readonly host: string
  readonly port: number
  readonly packetSize: number
  reflects(ticket: Uint8Array): boolean
}

/** Nothing of the transport is loaded before the server serves. */
async function listenAt(wanted: Wanted, door: TransferDoor): Promise<Listener> {
  const { listen } = await import('@godwit/transport/node')
  /** Of callers whose ticket was accepted, until their connection is handed over. */
  const admitted = new WeakMap<object, Admitted>()
  return listen({
    ...wanted,
    tls: ticketServerTls((id) => door.secretOf(id)),
    async authorize(ticket, peer): Promise<Decision> {
      const found = await door.admit(ticket, peer.host)
      if (typeof found === 'string') return found
      admitted.set(peer, found)
      return found.settings
    },
    onConnection: (connection, { peer }) => admitted.get(peer)?.begin(connection),
  })
}
