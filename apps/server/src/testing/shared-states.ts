import { randomHex, secureRandom, systemClock } from '@godwit/base'
import { mariadbUrl, redisUrl } from '@godwit/testkit/engines'
import { connectRedis } from '../kernel/redis/index.ts'
import { localSharedState, redisSharedState, sqlSharedState, type SharedState } from '../kernel/shared-state.ts'
import { openWorld } from './worlds.ts'

/** Nodes that share something; each is as much a process of its own as one process allows. */
export interface Nodes extends AsyncDisposable {
  /** Adds a node. @param leaseMs how long what it held stays taken when it dies */
  add(leaseMs?: number): Promise<SharedState>
  /** Takes every lease away, as a flushed Redis or a restored database does. */
  forgetLeases(): Promise<void>
}

export interface Backend {
  readonly name: 'memory' | 'sqlite' | 'mysql' | 'redis'
  /** Memory is one process. */
  readonly isShared: boolean
  readonly open: () => Promise<Nodes>
}

const DEPS = {
  clock: systemClock,
  random: secureRandom,
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
}

/** Every way of sharing, for `describe` in a loop: one suite for all. */
export const BACKENDS: readonly Backend[] = [
  { name: 'memory', isShared: false, open: async () => nodesOf({ open: async () => localSharedState(DEPS) }) },
  { name: 'sqlite', isShared: true, open: () => sqlNodes() },
  { name: 'mysql', isShared: true, open: async () => sqlNodes(await mariadbUrl()) },
  { name: 'redis', isShared: true, open: () => redisNodes() },
]

async function sqlNodes(url?: string): Promise<Nodes> {
  const world = await openWorld(url)
  return nodesOf({
    open: async (options) => sqlSharedState({ ...DEPS, ...options }, world.database),
    forgetLeases: async () => void (await world.database.db.deleteFrom('leases').execute()),
    close: async () => world[Symbol.asyncDispose](),
  })
}

const FORGET = `for _, key in ipairs(redis.call('keys', ARGV[1])) do redis.call('del', key) end`

async function redisNodes(): Promise<Nodes> {
  const url = await redisUrl()
  const prefix = `test:${randomHex(secureRandom, 8)}:`
  const redis = await connectRedis(url, prefix)
  return nodesOf({
    open: async (options) => redisSharedState({ ...DEPS, ...options }, await connectRedis(url, prefix)),
    forgetLeases: async () => void (await redis.run(FORGET, [], [`${prefix}lease:*`])),
    close: () => redis.close(),
  })
}

interface Ways {
  readonly open: (options: { readonly leaseMs?: number }) => Promise<SharedState>
  readonly forgetLeases?: () => Promise<void>
  readonly close?: () => Promise<void>
}

function nodesOf({ open, forgetLeases, close }: Ways): Nodes {
  const nodes: SharedState[] = []
  return {
    async add(leaseMs) {
      const node = await open(leaseMs === undefined ? {} : { leaseMs })
      await node.bus.start()
      nodes.push(node)
      return node
    },
    forgetLeases: async () => forgetLeases?.(),
    async [Symbol.asyncDispose]() {
      await Promise.all(nodes.map((node) => node.stop()))
      await close?.()
    },
  }
}
