export * from './keys.ts'
export * from './load.ts'
export * from './places.ts'
export * from './database-url.ts'
