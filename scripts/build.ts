import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fingerprint } from './fingerprint.ts'
import { ROOT, runCommand, type Command } from './steps.ts'

/** `npm run build`: makes what the server serves. What is up to date is not made again; `--force` makes everything. */

interface Product {
  readonly name: string
  /** A file that exists when the product does. */
  readonly result: string
  readonly from: readonly string[]
  readonly command: Command
}

const PRODUCTS: readonly Product[] = [
  {
    name: 'web',
    result: 'apps/web/dist/pages.json',
    from: [
      'apps/web',
      'packages/base',
      'packages/contract',
      'packages/i18n',
      'package-lock.json',
      'tsconfig.base.json',
    ],
    command: { argv: ['vite', 'build', '--logLevel', 'warn'], folder: 'apps/web' },
  },
]

/** @throws Error with the tool's output when a product cannot be made */
export async function build({ force }: { readonly force: boolean }): Promise<void> {
  for (const product of PRODUCTS) {
    const stamp = join(ROOT, 'node_modules/.cache/godwit', `${product.name}.stamp`)
    const wanted = await fingerprint(ROOT, product.from)
    if (!force && existsSync(join(ROOT, product.result)) && (await textOf(stamp)) === wanted) continue
    await make(product)
    await mkdir(dirname(stamp), { recursive: true })
    await writeFile(stamp, wanted)
  }
}

async function make({ name, command }: Product): Promise<void> {
  const begun = performance.now()
  const { ok, output } = await runCommand(command)
  if (!ok) throw new Error(`cannot build ${name}:\n${output}`)
  console.log(`built ${name} in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
}

async function textOf(path: string): Promise<string> {
  return existsSync(path) ? readFile(path, 'utf8') : ''
}

if (import.meta.main) await build({ force: process.argv.includes('--force') })
