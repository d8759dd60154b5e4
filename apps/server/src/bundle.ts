import type { Product } from './freshness.ts'

/** The server and `godwit` in one file, as `npm run build` makes it (scripts/bundle-server.ts). */
export const BUNDLE: Product = {
  name: 'server',
  result: 'apps/server/dist/godwit.js',
  from: [
    'apps/server/package.json',
    'apps/server/src',
    'packages/base',
    'packages/contract',
    'packages/i18n',
    'packages/storage',
    'packages/transfer',
    'packages/transport',
    'scripts/bundle-server.ts',
    'package-lock.json',
  ],
}
