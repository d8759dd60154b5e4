import { build } from './build.ts'

/** `npm start -- --port 9000`: builds what changed, then is the server: same process, same signals, same exit code. */

await build({ force: false })
process.argv.splice(2, 0, 'serve')
await import('../apps/server/bin/godwit.ts')
