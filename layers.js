/**
 * The one list of layers. The lint rule `godwit/layers` refuses every import that goes against it, and
 * `scripts/layers.ts` draws it in docs/architecture.md. Whoever stands earlier never imports whoever stands later.
 */

/** Names in one inner list stand side by side and do not import each other. */
export const PACKAGES = [['base'], ['contract'], ['i18n', 'sdk'], ['storage', 'transport'], ['transfer'], ['testkit']]

/** Files right under `apps/server/src` and the folder `cli` stand above all of these: they know everything. */
export const SERVER = ['kernel', 'migrations', 'foundation', 'identity', 'content', 'exchange', 'oversight', 'edge']

/**
 * Protocols know no feature: what they carry is declared to them (`apps/server/src/kernel/feature.ts`). Only a protocol that
 * is another door to features imports those.
 */
export const EDGE = {
  without: ['content', 'exchange', 'oversight'],
  doors: {
    tus: ['content/intake'],
    scim: ['oversight/provisioning'],
    'rendezvous-socket': ['exchange/rendezvous'],
    udp: ['exchange/transfers', 'exchange/rendezvous'],
    webdav: [
      'content/access',
      'content/downloads',
      'content/file-locks',
      'content/files',
      'content/intake',
      'content/properties',
      'content/quotas',
      'content/recycle',
      'content/spaces',
      'content/tree-hashes',
    ],
  },
}

/** Inside `features` the server's layers and their order come back. Files right under `apps/web/src` stand above. */
export const WEB = ['lib', 'ui', 'features', 'entries']

/** Folders that stay free of something, and why. Tests in them may use what they like. */
export const PURE = [
  { folder: 'packages/base/src', without: ['node', 'npm'], because: 'every other package and every browser loads it' },
  { folder: 'packages/contract/src', without: ['node'], because: 'the browser loads it' },
  { folder: 'packages/i18n/src', without: ['node'], because: 'the browser loads it' },
  { folder: 'packages/transport/src/core', without: ['node', 'npm'], because: 'the simulator drives it without I/O' },
  { folder: 'apps/web/src', without: ['node'], because: 'it runs in the browser' },
]

/**
 * The only folders of the server that may reach `node:fs` and `node:path`; everyone else asks `content/files` or a provider.
 * `pages.ts` serves the built page, whose names no visitor chooses; `node-internals` reads from connections, not from files.
 */
export const DISK = [
  'kernel',
  'foundation',
  'content/files',
  'content/listings/huge',
  'oversight/maintenance',
  'cli',
  'edge/http/pages.ts',
  'edge/http/node-internals',
]

/** Where the machine's own clock and randomness may be read; everywhere else they arrive as arguments. */
export const AMBIENT = [
  'packages/base/src/clock.ts',
  'packages/base/src/random.ts',
  'packages/testkit/',
  'apps/server/src/kernel/',
  'apps/web/src/lib/',
  'bench/',
  'e2e/',
  'scripts/',
]
