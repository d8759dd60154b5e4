import { randomHex, type Clock, type Random } from '@godwit/base'
import type { Log } from './context.ts'
import type { Config } from './config/index.ts'
import { isDuplicate, type Database, type Db } from './db/index.ts'
import { createBus, createRedisCarrier, createSqlCarrier, type BusCarrier, type RunningBus } from './events/index.ts'
import {
  createLimits,
  createMemoryCounts,
  createRedisCounts,
  createSqlCounts,
  type CallCounts,
  type Limits,
} from './limits/index.ts'
import {
  createLocks,
  createMemoryLeases,
  createRedisLeases,
  createSqlLeases,
  type LeaseStore,
  type Locks,
} from './locks/index.ts'
import { connectRedis, type RedisClient } from './redis/index.ts'

/** What nodes share besides the database and the storages. */
export interface SharedState {
  readonly bus: RunningBus
  readonly locks: Locks
  readonly limits: Limits
  /** Forgets what is of no use any more. */
  sweep(): Promise<void>
  /** Ends the exchange with other nodes. */
  stop(): Promise<void>
}

export interface SharedStateDeps {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** How long what a dead node held stays taken. Default 15 s. */
  readonly leaseMs?: number
}

interface Stores {
  readonly leases: LeaseStore
  readonly counts: CallCounts
  readonly carrier?: BusCarrier
  readonly close?: () => Promise<void>
}

/** For one process: nothing leaves its memory. */
export function localSharedState(deps: SharedStateDeps): SharedState {
  return sharedStateOf(deps, { leases: createMemoryLeases(), counts: createMemoryCounts(deps.clock) })
}

/**
 * Redis when one is configured; else the database when several nodes may use it; else memory.
 * @throws AppError DATABASE_UNAVAILABLE when Redis does not answer
 */
export async function openSharedState({
  config,
  database,
  ...deps
}: SharedStateDeps & {
  readonly config: Pick<Config, 'redis.url'>
  readonly database: Database
}): Promise<SharedState> {
  const url = config['redis.url']
  if (url !== '') return redisSharedState(deps, await connectRedis(url, await prefixOf(database.db, deps.random)))
  return database.dialect === 'mysql' ? sqlSharedState(deps, database) : localSharedState(deps)
}

export function sqlSharedState(deps: SharedStateDeps, database: Database): SharedState {
  return sharedStateOf(deps, {
    leases: createSqlLeases({ database, clock: deps.clock }),
    counts: createSqlCounts(database),
    carrier: createSqlCarrier({ database, nodeId: randomHex(deps.random, 16), log: deps.log }),
  })
}

export function redisSharedState(deps: SharedStateDeps, redis: RedisClient): SharedState {
  return sharedStateOf(deps, {
    leases: createRedisLeases(redis),
    counts: createRedisCounts(redis),
    carrier: createRedisCarrier(redis, randomHex(deps.random, 16)),
    close: () => redis.close(),
  })
}

function sharedStateOf(deps: SharedStateDeps, { leases, counts, carrier, close }: Stores): SharedState {
  const { log } = deps
  const bus = createBus((signal, thrown) => log.error({ err: thrown, signal }, 'a signal was not delivered'), carrier)
  const locks = createLocks({ ...deps, leases })
  const limits = createLimits(counts)
  return {
    ...{ bus, locks, limits },
    async sweep() {
      await leases.sweep()
      await counts.sweep()
    },
    async stop() {
      locks.stop()
      await bus.stop()
      await close?.()
    },
  }
}

const FACT = 'shared-state.prefix'

/** Tells installations on one Redis apart: drawn once, kept in the database that all nodes share. */
async function prefixOf(db: Db, random: Random): Promise<string> {
  const known = async () => db.selectFrom('facts').select('value').where('name', '=', FACT).executeTakeFirst()
  if ((await known()) === undefined) {
    try {
      await db
        .insertInto('facts')
        .values({ name: FACT, value: `godwit:${randomHex(random, 8)}:` })
        .execute()
    } catch (thrown) {
      // Another node was faster.
      if (!isDuplicate(thrown)) throw thrown
    }
  }
  return (await known())?.value ?? 'godwit:'
}
