export * from './bus.ts'
export { createRedisCarrier } from './bus.redis.ts'
export { createSqlCarrier } from './bus.sql.ts'
export * from './outbox.ts'
