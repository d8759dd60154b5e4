import { dirname, join } from 'node:path'
import { BUNDLE } from '../apps/server/src/bundle.ts'
import { isFresh, makeFresh, type Product } from '../apps/server/src/freshness.ts'
import { ROOT, runCommand, type Command } from './steps.ts'

/** `npm run build`: makes what the server serves, and the server. What is up to date is not made again; `--force` makes everything. */

const PAGES: Product = {
  name: 'web',
  result: 'apps/web/dist/pages.json',
  from: ['apps/web', 'packages/base', 'packages/contract', 'packages/i18n', 'package-lock.json', 'tsconfig.base.json'],
}

const CLIENT_PAGE: Product = { ...PAGES, name: 'client page', result: 'apps/client/dist/web/client.html' }

interface Build {
  readonly product: Product
  readonly command: Command
}

const CLIENT_PAGE_BUILD: Build = {
  product: CLIENT_PAGE,
  command: { argv: ['vite', 'build', '--config', 'vite.client.config.ts', '--logLevel', 'warn'], folder: 'apps/web' },
}

const BUILDS: readonly Build[] = [
  { product: PAGES, command: { argv: ['vite', 'build', '--logLevel', 'warn'], folder: 'apps/web' } },
  CLIENT_PAGE_BUILD,
  { product: BUNDLE, command: { argv: ['node', 'scripts/bundle-server.ts'] } },
]

/** @returns the folder of the page of the client. @throws Error with the tool's output when it cannot be made */
export async function buildClientPage(): Promise<string> {
  const { product, command } = CLIENT_PAGE_BUILD
  if (!isFresh(ROOT, product)) await makeFresh(ROOT, product, () => make(product.name, command))
  return dirname(join(ROOT, product.result))
}

/** @throws Error with the tool's output when a product cannot be made */
export async function build({ force }: { readonly force: boolean }): Promise<void> {
  for (const { product, command } of BUILDS) {
    if (!force && isFresh(ROOT, product, { note: true })) continue
    await makeFresh(ROOT, product, () => make(product.name, command))
  }
}

async function make(name: string, command: Command): Promise<void> {
  const begun = performance.now()
  const { ok, output } = await runCommand(command)
  if (!ok) throw new Error(`cannot build ${name}:\n${output}`)
  console.log(`built ${name} in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
}

if (import.meta.main) await build({ force: process.argv.includes('--force') })
