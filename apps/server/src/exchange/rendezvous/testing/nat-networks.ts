import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type Host = 'A' | 'B'
const HOSTS = ['A', 'B'] as const
/** How a router chooses the outer port: the same for every destination, or another one for each. */
export type Mapping = 'same-port' | 'random-port'

/**
 * Two computers of the same private network address behind a router each, and a server outside, in the namespace of the test at
 * `serverHost`. From outside routers let in only what answers. Needs root, iproute2 and nftables.
 */
export class NatNetworks implements AsyncDisposable {
  readonly serverHost: string
  readonly #name = `gwn${process.pid}`
  readonly #net: string

  static async open(): Promise<NatNetworks> {
    const networks = new NatNetworks()
    await networks.#raise()
    return networks
  }

  private constructor() {
    this.#net = `10.${100 + (process.pid % 100)}.${(process.pid >> 7) % 250}`
    this.serverHost = `${this.#net}.1`
  }

  /** The start of a command line that runs on the computer. */
  computer(host: Host): readonly string[] {
    return ['ip', 'netns', 'exec', this.#computer(host)]
  }

  async #raise(): Promise<void> {
    const bridge = this.#name
    await ip('link', 'add', bridge, 'type', 'bridge')
    await ip('addr', 'add', `${this.serverHost}/24`, 'dev', bridge)
    await ip('link', 'set', bridge, 'up')
    for (const [at, host] of HOSTS.entries()) {
      const [router, computer, outer] = [this.#router(host), this.#computer(host), `${this.#name}${host}`]
      for (const space of [router, computer]) {
        await ip('netns', 'add', space)
        await ip('-n', space, 'link', 'set', 'lo', 'up')
      }
      await ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', 'wan', 'netns', router)
      await ip('link', 'set', outer, 'master', bridge, 'up')
      await ip('-n', router, 'addr', 'add', `${this.#net}.${2 + at}/24`, 'dev', 'wan')
      await ip('-n', router, 'link', 'set', 'wan', 'up')
      await ip('-n', router, 'link', 'add', 'lan', 'type', 'veth', 'peer', 'name', 'eth', 'netns', computer)
      await ip('-n', router, 'addr', 'add', '192.168.77.1/24', 'dev', 'lan')
      await ip('-n', router, 'link', 'set', 'lan', 'up')
      await ip('-n', computer, 'addr', 'add', '192.168.77.2/24', 'dev', 'eth')
      await ip('-n', computer, 'link', 'set', 'eth', 'up')
      await ip('-n', computer, 'route', 'add', 'default', 'via', '192.168.77.1')
      await run('ip', ['netns', 'exec', router, 'sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward'])
    }
  }

  async map(mapping: Mapping): Promise<void> {
    const how = mapping === 'same-port' ? '' : 'random,fully-random'
    const rules = `flush ruleset
table ip nat {
  chain post {
    type nat hook postrouting priority 100;
    oifname "wan" masquerade ${how};
  }
}
table ip filter {
  chain forward {
    type filter hook forward priority 0;
    iifname "wan" ct state new drop;
  }
  chain input {
    type filter hook input priority 0;
    iifname "wan" ct state new drop;
  }
}
`
    for (const host of HOSTS) {
      const nft = run('ip', ['netns', 'exec', this.#router(host), 'nft', '-f', '-'])
      nft.child.stdin?.end(rules)
      await nft
    }
  }

  #router(host: Host): string {
    return `${this.#name}R${host}`
  }

  #computer(host: Host): string {
    return `${this.#name}C${host}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Devices, rules and routes go with their namespaces.
    for (const host of HOSTS)
      for (const space of [this.#computer(host), this.#router(host)]) await ip('netns', 'del', space)
    await ip('link', 'del', this.#name)
  }
}

async function ip(...words: readonly string[]): Promise<void> {
  await run('ip', [...words])
}
