import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MiB } from '@godwit/base'
import type { ClientProgram } from './client-program.ts'
import { ClientSite } from './client-site.ts'
import { RoutedNetwork } from './routed-network.ts'

export type Direction = 'up' | 'down'

/** Of each direction. Slow enough that there is a middle. */
const RATE_MBIT = 80
/** Acknowledgements and probes are fewer bytes than this between two looks at the longest gap. */
const STEP_BYTES = 64 * 1024
const LOOK_MS = 20

/** A server and a client on a computer with a network of its own, for what networks do to people. */
export class BadDay implements AsyncDisposable {
  readonly network: RoutedNetwork
  readonly site: ClientSite
  readonly #folder: string

  static async open(folder: string): Promise<BadDay> {
    const network = await RoutedNetwork.open()
    const place = { env: { GODWIT_HOST: network.serverHost }, computer: network.computer }
    const site = await ClientSite.open(folder, place)
    await site.limitDownloads(RATE_MBIT)
    return new BadDay(folder, { network, site })
  }

  private constructor(folder: string, { network, site }: { network: RoutedNetwork; site: ClientSite }) {
    this.#folder = folder
    this.network = network
    this.site = site
  }

  /** Brings a file to the server, so that it can be fetched. */
  async bring(file: TestFile): Promise<void> {
    const program = this.#start('up', file)
    if ((await program.exitCode()) !== 0) throw new Error('the file did not arrive')
  }

  begin(direction: Direction, file: TestFile): Journey {
    return new Journey(this.#start(direction, file), { direction, file, network: this.network })
  }

  /** A file each way, both by UDP and asleep as soon as they are this far, so that none is over before the other began. */
  async fallAsleepBothWays(
    name: string,
    { mebibytes, share }: { readonly mebibytes: number; readonly share: number },
  ): Promise<Trip[]> {
    await this.bring(testFile(`${name}-down.bin`, mebibytes))
    const trips = (['up', 'down'] as const).map((direction) => {
      const file = testFile(`${name}-${direction}.bin`, mebibytes)
      return { direction, file, journey: this.begin(direction, file) }
    })
    await Promise.all(
      trips.map(async ({ journey }) => {
        await journey.untilOverUdp()
        await journey.untilShare(share)
        journey.program.freeze()
      }),
    )
    return trips
  }

  #start(direction: Direction, { name, bytes }: TestFile): ClientProgram {
    const [from, to] = [join(this.#folder, 'from'), join(this.#folder, 'to')]
    for (const folder of [from, to]) mkdirSync(folder, { recursive: true })
    if (direction === 'down') return this.site.client('down', `/${name}`, to)
    writeFileSync(join(from, name), bytes)
    return this.site.client('up', join(from, name), '/', '--rate', `${RATE_MBIT}M`)
  }

  /** Whether what arrived is the file, byte for byte. */
  isWhole(direction: Direction, { name, bytes }: TestFile): boolean {
    const place = direction === 'down' ? 'to' : 'data/files/users/admin'
    return readFileSync(join(this.#folder, place, name)).equals(bytes)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.site[Symbol.asyncDispose]()
    await this.network[Symbol.asyncDispose]()
  }
}

export interface TestFile {
  readonly name: string
  readonly bytes: Buffer
}

export function testFile(name: string, mebibytes: number): TestFile {
  return {
    name,
    bytes: createHash('shake256', { outputLength: mebibytes * MiB })
      .update(name)
      .digest(),
  }
}

export interface Trip {
  readonly direction: Direction
  readonly file: TestFile
  readonly journey: Journey
}

interface About {
  readonly direction: Direction
  readonly file: TestFile
  readonly network: RoutedNetwork
}

/** One transfer of the client. */
export class Journey {
  readonly program: ClientProgram
  readonly #about: About

  constructor(program: ClientProgram, about: About) {
    this.program = program
    this.#about = about
  }

  /** How its bytes go now: `udp` or `tcp`. */
  get mode(): unknown {
    return this.program.events.findLast(({ event }) => event === 'path')?.['mode']
  }

  /** @throws Error when it ends before */
  async until(isSo: () => boolean): Promise<void> {
    await this.program.until(isSo)
    if (!this.program.isRunning) throw new Error(`it ended: ${JSON.stringify(this.program.events.slice(-3))}`)
  }

  /** Until this share of the file has been acknowledged. */
  async untilShare(share: number): Promise<void> {
    const wanted = share * this.#about.file.bytes.length
    await this.until(() => this.program.progress('bytesDone') > wanted)
  }

  async untilOverUdp(): Promise<void> {
    await this.until(() => this.mode === 'udp')
  }

  /** Watches the bytes that come through to their receiver. */
  watchLine(): { stop(): Promise<number> } {
    let [count, grownAt, longest] = [this.#arrivedBytes(), performance.now(), 0]
    const stopping = new AbortController()
    const look = (): void => {
      const [now, arrived] = [performance.now(), this.#arrivedBytes()]
      longest = Math.max(longest, now - grownAt)
      if (arrived < count + STEP_BYTES) return
      count = arrived
      grownAt = now
    }
    const watching = (async () => {
      while (!stopping.signal.aborted) {
        await sleep(LOOK_MS)
        look()
      }
    })()
    return {
      async stop() {
        stopping.abort()
        await watching
        return Math.round(longest)
      },
    }
  }

  #arrivedBytes(): number {
    const { direction, network } = this.#about
    // Of a process it shows the devices of its namespace.
    const [pid, isCounted] =
      direction === 'down'
        ? [this.program.pid, (device: string) => device !== 'lo']
        : ['self', (device: string) => device === network.serverDevice]
    const counters = readFileSync(`/proc/${pid}/net/dev`, 'utf8').matchAll(/^\s*(\S+):\s*(\d+)/gm)
    return counters.reduce((sum, [, device = '', bytes]) => sum + (isCounted(device) ? Number(bytes) : 0), 0)
  }
}
