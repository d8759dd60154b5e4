import { createHash } from 'node:crypto'
import type { RedisClient } from '../redis/index.ts'
import type { CallCounts } from './limits.ts'

const ADD = `
  local calls = redis.call('incr', KEYS[1])
  if calls == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) end
  return {calls, redis.call('pttl', KEYS[1])}`

export function createRedisCounts(redis: RedisClient): CallCounts {
  return {
    async add({ name, periodMs }, caller) {
      const id = createHash('sha256').update(`${name}\0${caller}`).digest('hex')
      const [calls, restMs] = (await redis.run(ADD, [`calls:${id}`], [periodMs])) as [number, number]
      return { calls, restMs }
    },
    // Redis forgets by itself.
    sweep: () => Promise.resolve(),
  }
}
