import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Where a computer may stand: two networks behind one router. */
export type Spot = 'home' | 'office'

const SPOTS = ['home', 'office'] as const
/** Prefix length of all networks here. */
const BITS = 24

/** A line between two namespaces that is up already, with the addresses of its ends. */
export interface JoinedLine {
  readonly near: LineEnd
  readonly far: LineEnd
}

interface LineEnd {
  readonly space: string
  readonly host: string
}

/**
 * A computer and a router of its own namespaces; the server stands in the namespace of the test, at `serverHost`, which only the router
 * reaches. Where there is a line between them, its ends are routers: the near one of the computer, the far one of the server. Needs root,
 * iproute2 and nftables.
 */
export class RoutedNetwork implements AsyncDisposable {
  readonly serverHost: string
  readonly #base: string
  readonly #name: string
  readonly #line: JoinedLine | undefined

  /** @param line is its owner's, who takes it down after this */
  static async open(line?: JoinedLine): Promise<RoutedNetwork> {
    const network = new RoutedNetwork(line)
    await network.#raise()
    return network
  }

  private constructor(line: JoinedLine | undefined) {
    this.#line = line
    this.#name = `gwt${process.pid}`
    // Two runs at once have networks of their own.
    this.#base = `10.${100 + (process.pid % 100)}`
    this.serverHost = `${this.#base}.0.1`
  }

  /** The start of a command line that runs on the computer. */
  get computer(): readonly string[] {
    return ['ip', 'netns', 'exec', this.#computer]
  }

  /** Sees everything that reaches and leaves the server. */
  get serverDevice(): string {
    return `${this.#name}s`
  }

  /** Next to the computer. */
  get #router(): string {
    return this.#line?.near.space ?? `${this.#name}R`
  }

  /** Next to the server. */
  get #serverRouter(): string {
    return this.#line?.far.space ?? this.#router
  }

  get #computer(): string {
    return `${this.#name}C`
  }

  async #raise(): Promise<void> {
    const [router, computer, serverRouter] = [this.#router, this.#computer, this.#serverRouter]
    for (const space of this.#line === undefined ? [router, computer] : [computer]) {
      await ip('netns', 'add', space)
      await ip('-n', space, 'link', 'set', 'lo', 'up')
    }
    await ip('link', 'add', this.serverDevice, 'type', 'veth', 'peer', 'name', 'server', 'netns', serverRouter)
    await ip('addr', 'add', `${this.serverHost}/${BITS}`, 'dev', this.serverDevice)
    await ip('link', 'set', this.serverDevice, 'up')
    await ip('-n', serverRouter, 'addr', 'add', `${this.#base}.0.2/${BITS}`, 'dev', 'server')
    await ip('-n', serverRouter, 'link', 'set', 'server', 'up')
    for (const spot of SPOTS) {
      await ip('-n', router, 'link', 'add', spot, 'type', 'veth', 'peer', 'name', spot, 'netns', computer)
      await ip('-n', router, 'addr', 'add', `${this.#net(spot)}.1/${BITS}`, 'dev', spot)
      await ip('-n', router, 'link', 'set', spot, 'up')
      await ip('route', 'add', `${this.#net(spot)}.0/${BITS}`, 'via', `${this.#base}.0.2`)
    }
    if (this.#line !== undefined) await this.#routeOver(this.#line)
    for (const space of new Set([router, serverRouter]))
      await run('ip', ['netns', 'exec', space, 'sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward'])
    await this.#plugIn('home')
  }

  async #routeOver({ near, far }: JoinedLine): Promise<void> {
    await ip('-n', near.space, 'route', 'add', `${this.#base}.0.0/${BITS}`, 'via', far.host)
    for (const spot of SPOTS)
      await ip('-n', far.space, 'route', 'add', `${this.#net(spot)}.0/${BITS}`, 'via', near.host)
  }

  /** Takes the computer from where it is to another place: other device, address and router. */
  async moveTo(spot: Spot): Promise<void> {
    for (const left of SPOTS) {
      await ip('-n', this.#computer, 'addr', 'flush', 'dev', left)
      await ip('-n', this.#computer, 'link', 'set', left, 'down')
    }
    await this.#plugIn(spot)
  }

  async #plugIn(spot: Spot): Promise<void> {
    const computer = this.#computer
    await ip('-n', computer, 'addr', 'add', `${this.#net(spot)}.2/${BITS}`, 'dev', spot)
    await ip('-n', computer, 'link', 'set', spot, 'up')
    await ip('-n', computer, 'route', 'add', 'default', 'via', `${this.#net(spot)}.1`)
  }

  #net(spot: Spot): string {
    return `${this.#base}.${1 + SPOTS.indexOf(spot)}`
  }

  /** A firewall on the way that lets no UDP through, without a word to either side. @returns lets it through again */
  async blockUdp(): Promise<() => Promise<void>> {
    const rule = ['ipproto', 'udp', 'blackhole', 'pref', '100']
    await ip('-n', this.#router, 'rule', 'add', ...rule)
    return () => ip('-n', this.#router, 'rule', 'del', ...rule)
  }

  /** Packets through the router meet this rule of nftables, such as `tcp dport 80 drop`. @returns takes it away again */
  filter(rule: string): Promise<() => Promise<void>> {
    return this.#addChains(`chain through { type filter hook forward priority 0; ${rule}; };`)
  }

  /**
   * UDP packets of more bytes do not leave the router towards the server, and nobody is told. TCP is told to send smaller ones, as
   * tunnels do. @returns as before again
   */
  async limitPackets(bytes: number): Promise<() => Promise<void>> {
    const setMtu = (mtu: number) => ip('-n', this.#router, 'link', 'set', 'server', 'mtu', String(mtu))
    // Rules see several packets as one, as the kernel hands them on; the device sees each.
    await setMtu(bytes)
    const undo = await this.#addChains(`
      chain through { type filter hook forward priority 0; tcp flags syn tcp option maxseg size set ${bytes - 40}; };
      chain out { type filter hook output priority 0; icmp type destination-unreachable drop; };`)
    return async () => {
      await setMtu(1500)
      await undo()
    }
  }

  async #addChains(chains: string): Promise<() => Promise<void>> {
    const nft = ['netns', 'exec', this.#router, 'nft']
    await ip(...nft, `table ip broken { ${chains} }`)
    return () => ip(...nft, 'delete table ip broken')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Devices and routes go with their namespaces; those of a line stay with its owner.
    await ip('netns', 'del', this.#computer)
    if (this.#line === undefined) await ip('netns', 'del', this.#router)
    else await ip('link', 'del', this.serverDevice)
  }
}

async function ip(...words: readonly string[]): Promise<void> {
  await run('ip', [...words])
}
