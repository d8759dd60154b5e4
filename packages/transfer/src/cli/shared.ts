/** What programs that drive the engines report alike. */
export {
  createOutput,
  describeFailure,
  describeResult,
  endWhenUnread,
  escaped,
  toJsonLine,
  type Output,
} from './output.ts'
export { threadCpu } from './process-use.ts'
