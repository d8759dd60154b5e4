import { runCli } from '../apps/server/src/cli.ts'
import { build } from './build.ts'

/** `npm start -- --port 9000`: builds what changed, then is the server: same process, same signals, same exit code. */

await build({ force: false })
process.exitCode = await runCli(['serve', ...process.argv.slice(2)])
