export { runCli } from './cli/run.ts'
