import type { RedisClient } from '../redis/index.ts'
import type { Lease, LeaseStore } from './leases.ts'

const TOKEN_KEPT_MS = 3_600_000
/** Longer than any lease, which renews it. */
const NAMES_KEPT_MS = 24 * 3_600_000

/**
 * A lease is a key with an expiry; the names of a scope are a set beside it. Tokens count up from the server's time in
 * microseconds, so that they grow on when the last one is forgotten.
 */
const TAKE = `
  if not redis.call('set', KEYS[1], ARGV[1] .. '|' .. ARGV[2], 'NX', 'PX', ARGV[3]) then return false end
  redis.call('sadd', KEYS[2], ARGV[4])
  redis.call('pexpire', KEYS[2], ${NAMES_KEPT_MS})
  local last = redis.call('get', KEYS[3])
  local time = redis.call('time')
  local token = string.format('%.0f', last and last + 1 or time[1] * 1000000 + time[2])
  redis.call('set', KEYS[3], token, 'PX', ${TOKEN_KEPT_MS})
  return token`
const IS_OWN = `local held = redis.call('get', KEYS[1])
  if not held or string.sub(held, 1, #ARGV[1] + 1) ~= ARGV[1] .. '|' then return 0 end`
const RENEW = `${IS_OWN}
  redis.call('pexpire', KEYS[2], ${NAMES_KEPT_MS})
  return redis.call('pexpire', KEYS[1], ARGV[2])`
const RELEASE = `${IS_OWN}
  redis.call('srem', KEYS[2], ARGV[2])
  return redis.call('del', KEYS[1])`
/** Names whose lease ran out leave the set here. */
const HELD = `
  local found = {}
  for _, name in ipairs(redis.call('smembers', KEYS[1])) do
    local held = redis.call('get', KEYS[2] .. name)
    if held then
      found[#found + 1] = name
      found[#found + 1] = held
    else
      redis.call('srem', KEYS[1], name)
    end
  end
  return found`

export function createRedisLeases(redis: RedisClient): LeaseStore {
  return {
    isShared: true,
    async take(lease, value, leaseMs) {
      const keys = [keyOf(lease), namesOf(lease.scope), `token:${keyOf(lease)}`]
      const token = await redis.run(TAKE, keys, [lease.owner, value, leaseMs, lease.name])
      return typeof token === 'string' ? Number(token) : undefined
    },
    async renew(lease, leaseMs) {
      return (await redis.run(RENEW, [keyOf(lease), namesOf(lease.scope)], [lease.owner, leaseMs])) === 1
    },
    async release(lease) {
      await redis.run(RELEASE, [keyOf(lease), namesOf(lease.scope)], [lease.owner, lease.name])
    },
    async held(scope) {
      const found = (await redis.run(HELD, [namesOf(scope), prefixOf(scope)], [])) as readonly string[]
      const held = new Map<string, string>()
      for (let at = 0; at + 1 < found.length; at += 2) {
        const [name = '', text = ''] = found.slice(at, at + 2)
        held.set(name, text.slice(text.indexOf('|') + 1))
      }
      return held
    },
    // Redis forgets by itself.
    sweep: () => Promise.resolve(),
  }
}

function prefixOf(scope: string): string {
  return `lease:${scope.length}:${scope}:`
}

function keyOf({ scope, name }: Lease): string {
  return prefixOf(scope) + name
}

function namesOf(scope: string): string {
  return `leases:${scope}`
}
