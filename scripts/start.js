// JavaScript for the reason given in apps/server/bin/godwit.js.
import { enableCompileCache } from 'node:module'
import path from 'node:path'

/** `npm start -- --port 9000`: builds what changed, then is the server: same process, same signals, same exit code. */

enableCompileCache(path.join(import.meta.dirname, '../node_modules/.cache/godwit'))
const { build } = await import('./build.ts')
await build({ force: false })
if (process.argv[2] !== 'serve') process.argv.splice(2, 0, 'serve')
await import('../apps/server/bin/godwit.js')
