export { createQueue, type Job, type Queue, type Run } from './queue.ts'
