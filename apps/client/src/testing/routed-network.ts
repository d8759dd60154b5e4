import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Where a computer may stand: two networks behind one router. */
export type Spot = 'home' | 'office'

const SPOTS = ['home', 'office'] as const
/** Prefix length of all networks here. */
const BITS = 24

/**
 * A computer and a router of its own namespaces; the server stands in the namespace of the test, at `serverHost`, which only the router
 * reaches. Needs root, iproute2 and nftables.
 */
export class RoutedNetwork implements AsyncDisposable {
  readonly serverHost: string
  readonly #base: string
  readonly #name: string

  static async open(): Promise<RoutedNetwork> {
    const network = new RoutedNetwork()
    await network.#raise()
    return network
  }

  private constructor() {
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

  get #router(): string {
    return `${this.#name}R`
  }

  get #computer(): string {
    return `${this.#name}C`
  }

  async #raise(): Promise<void> {
    const [router, computer] = [this.#router, this.#computer]
    for (const space of [router, computer]) {
      await ip('netns', 'add', space)
      await ip('-n', space, 'link', 'set', 'lo', 'up')
    }
    await ip('link', 'add', this.serverDevice, 'type', 'veth', 'peer', 'name', 'server', 'netns', router)
    await ip('addr', 'add', `${this.serverHost}/${BITS}`, 'dev', this.serverDevice)
    await ip('link', 'set', this.serverDevice, 'up')
    await ip('-n', router, 'addr', 'add', `${this.#base}.0.2/${BITS}`, 'dev', 'server')
    await ip('-n', router, 'link', 'set', 'server', 'up')
    for (const spot of SPOTS) {
      await ip('-n', router, 'link', 'add', spot, 'type', 'veth', 'peer', 'name', spot, 'netns', computer)
      await ip('-n', router, 'addr', 'add', `${this.#net(spot)}.1/${BITS}`, 'dev', spot)
      await ip('-n', router, 'link', 'set', spot, 'up')
      await ip('route', 'add', `${this.#net(spot)}.0/${BITS}`, 'via', `${this.#base}.0.2`)
    }
    await run('ip', ['netns', 'exec', router, 'sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward'])
    await this.#plugIn('home')
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
    // Devices and routes go with their namespaces.
    for (const space of [this.#computer, this.#router]) await ip('netns', 'del', space)
  }
}

async function ip(...words: readonly string[]): Promise<void> {
  await run('ip', [...words])
}
