import type { RedisClient, Subscription } from '../redis/index.ts'
import type { BusCarrier } from './bus.ts'

const CHANNEL = 'bus'

/** @param nodeId tells one's own texts apart, which Redis sends back */
export function createRedisCarrier(redis: RedisClient, nodeId: string): BusCarrier {
  let subscription: Subscription | undefined
  return {
    async start(receive, onGap) {
      const onText = (text: string): void => {
        if (!text.startsWith(`${nodeId} `)) receive(text.slice(text.indexOf(' ') + 1))
      }
      subscription = await redis.subscribe(CHANNEL, onText, onGap)
    },
    send: (text) => redis.publish(CHANNEL, `${nodeId} ${text}`),
    catchUp: async () => subscription?.catchUp(),
    // The client is closed by whoever opened it.
    stop: () => Promise.resolve(),
  }
}
