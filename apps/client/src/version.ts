import manifest from '../package.json' with { type: 'json' }
import { RELEASE } from './release.ts'

/** As servers and administrators see it. */
export const CLIENT_VERSION: string = RELEASE?.version ?? manifest.version
