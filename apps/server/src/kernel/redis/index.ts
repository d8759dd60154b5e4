export { connectRedis, type RedisClient, type Subscription } from './redis.ts'
