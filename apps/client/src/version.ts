import manifest from '../package.json' with { type: 'json' }

/** As servers and administrators see it. */
export const CLIENT_VERSION: string = manifest.version
