export { createQueue, TryLater, type Job, type Queue, type Run } from './queue.ts'
