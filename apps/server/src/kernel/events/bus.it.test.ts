import { launchRedis, type Redis } from '@godwit/testkit'
import { secureRandom, systemClock } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BACKENDS, type Nodes } from '../../testing/shared-states.ts'
import { connectRedis } from '../redis/index.ts'
import { redisSharedState, type SharedState } from '../shared-state.ts'

declare module './bus.ts' {
  interface Signals {
    readonly 'test.said': { readonly words: string; readonly at?: number }
  }
  interface LocalSignals {
    readonly 'test.thought': { readonly how: () => string }
  }
}

const PATIENT = { timeout: 10_000, interval: 10 }

function heardBy({ bus }: SharedState): string[] {
  const heard: string[] = []
  bus.subscribe('test.said', ({ words }, origin) => void heard.push(`${words} ${origin}`))
  return heard
}

for (const { name, open } of BACKENDS) {
  describe(`signals in ${name}`, () => {
    let nodes: Nodes
    beforeEach(async () => void (nodes = await open()))
    afterEach(async () => nodes[Symbol.asyncDispose]())

    it('reach listeners here at once, whatever one of them throws, until they end their subscription', async () => {
      const { bus } = await nodes.add()
      const heard: string[] = []
      bus.subscribe('test.said', () => {
        throw new Error('deaf')
      })
      const end = bus.subscribe('test.said', ({ words }, origin) => void heard.push(`${words} ${origin}`))
      bus.publish('test.said', { words: 'hello' })
      expect(heard).toEqual(['hello here'])
      end()
      bus.publish('test.said', { words: 'again' })
      expect(heard).toEqual(['hello here'])
      const thoughts: string[] = []
      bus.subscribe('test.thought', ({ how }) => void thoughts.push(how()))
      bus.publishHere('test.thought', { how: () => 'quietly' })
      expect(thoughts).toEqual(['quietly'])
    })
  })
}

for (const { name, open } of BACKENDS.filter(({ isShared }) => isShared)) {
  describe(`signals between nodes in ${name}`, () => {
    let nodes: Nodes
    beforeEach(async () => void (nodes = await open()))
    afterEach(async () => nodes[Symbol.asyncDispose]())

    it('reach every other node once and in order', async () => {
      const [here, there, third] = [await nodes.add(), await nodes.add(), await nodes.add()]
      const heard = [here, there, third].map(heardBy)
      const words = Array.from({ length: 250 }, (_, at) => String(at))
      for (const one of words) here.bus.publish('test.said', { words: one })
      await expect.poll(() => heard.map(({ length }) => length), PATIENT).toEqual([250, 250, 250])
      expect(heard[0]).toEqual(words.map((one) => `${one} here`))
      expect(heard[1]).toEqual(words.map((one) => `${one} elsewhere`))
      expect(heard[2]).toEqual(heard[1])
    })

    it('that were flushed are there after the other node caught up', async () => {
      const [here, there] = [await nodes.add(), await nodes.add()]
      const heard = heardBy(there)
      for (let round = 1; round <= 20; round++) {
        here.bus.publish('test.said', { words: 'x' })
        await here.bus.flush()
        await there.bus.catchUp()
        expect(heard).toHaveLength(round)
      }
    })
  })
}

describe('signals in a Redis that goes away and comes back empty', () => {
  let redis: Redis
  const nodes: SharedState[] = []
  beforeEach(async () => void (redis = await launchRedis()))
  afterEach(async () => {
    await Promise.all(nodes.splice(0).map((node) => node.stop()))
    await redis.stop()
  })

  const add = async () => {
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
    const node = redisSharedState(
      { clock: systemClock, random: secureRandom, log },
      await connectRedis(redis.url, 'test:'),
    )
    await node.bus.start()
    nodes.push(node)
    return node
  }

  it('flow again within seconds, after the nodes were notified that some may be lost; limits refuse meanwhile', async () => {
    const [here, there] = [await add(), await add()]
    const heard = heardBy(there)
    let interruptions = 0
    there.bus.subscribe('bus.interrupted', () => void interruptions++)
    await redis.down()
    here.bus.publish('test.said', { words: 'lost' })
    await here.bus.flush()
    const limit = here.limits.callLimit({ name: 'looks', calls: 1, periodMs: 60_000 })
    await expect(limit.take('mei')).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE', status: 503 })
    await expect(here.locks.run('folder', () => Promise.resolve())).rejects.toMatchObject({ status: 503 })
    await redis.up()
    await expect.poll(() => interruptions, PATIENT).toBe(1)
    await expect
      .poll(() => {
        here.bus.publish('test.said', { words: 'back' })
        return heard.length
      }, PATIENT)
      .toBeGreaterThan(0)
    expect(heard[0]).toBe('back elsewhere')
    expect(await here.locks.run('folder', () => Promise.resolve('done'))).toBe('done')
  })

  it('is refused at the start with a code when nothing answers', async () => {
    await redis.down()
    await expect(connectRedis(redis.url, 'test:')).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  })
})
