export * from './bus.ts'
export * from './outbox.ts'
