export { createMemoryCounts } from './counts.memory.ts'
export { createRedisCounts } from './counts.redis.ts'
export { createSqlCounts } from './counts.sql.ts'
export { createLimits, type CallCounts, type CallLimit, type Limits } from './limits.ts'
