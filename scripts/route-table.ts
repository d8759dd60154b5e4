import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
// Not by the front door of the package, which already needs what is written here.
import { fileOperations, operationPath } from '@godwit/contract/content/files'
import type { OperationSpec } from '@godwit/contract'
import { ROUTES } from '@godwit/contract/routes'
import type { RouteSpec } from '@godwit/contract/wire/route'
import { ROOT } from './steps.ts'

/**
 * The routes without their schemas, one module for each feature: a page names routes through them, and a bundle carries
 * those of the features it calls and no validator. Part of `npm run openapi`.
 */

const FOLDER = 'packages/contract/src/table'
const HEAD = '// Written by `npm run openapi` from the specs of the routes.\n'

/** @returns the generated modules by their path from the root of the repository */
export function routeTableFiles(): ReadonlyMap<string, string> {
  const features = Object.entries(ROUTES)
  const names = [...features.map(([feature]) => feature), 'files'].toSorted()
  const all = names.map((name) => `export { ${name} } from './${fileName(name)}'\n`).join('')
  return new Map([
    ...features.map(([feature, routes]): [string, string] => [
      `${FOLDER}/${fileName(feature)}`,
      featureModule(feature, routes),
    ]),
    [`${FOLDER}/files.ts`, operationsModule()],
    [`${FOLDER}/all.ts`, HEAD + all],
  ])
}

/** `adminUsers` stands in `admin-users.ts`. */
function fileName(feature: string): string {
  return `${feature.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`
}

function featureModule(feature: string, routes: Readonly<Record<string, RouteSpec>>): string {
  const lines = Object.entries(routes).map(([name, { method, path, raw }]) => {
    const fields = [`method: '${method}'`, `path: '${path}'`, ...(raw === undefined ? [] : [`raw: '${raw}'`])]
    return `  ${name}: { ${fields.join(', ')} },\n`
  })
  return `${HEAD}import type { ROUTES } from '../routes.ts'
import type { RouteTable } from '../wire/route-table.ts'

export const ${feature}: RouteTable<(typeof ROUTES)['${feature}']> = {
${lines.join('')}}
`
}

function operationsModule(): string {
  const operations: Readonly<Record<string, OperationSpec>> = fileOperations
  const lines = Object.entries(operations).map(
    ([name, { isRead = false }]) => `  ${name}: { path: '${operationPath(name)}', isRead: ${isRead} },\n`,
  )
  return `${HEAD}import type { FileOperationName } from '../content/files.ts'
import type { OperationRef } from '../wire/route-table.ts'

export const files: Readonly<Record<FileOperationName, OperationRef>> = {
${lines.join('')}}
`
}

/** Refuses committed modules that the specs no longer give. */
export async function checkRouteTable(): Promise<void> {
  for (const [path, wanted] of routeTableFiles()) {
    const committed = await readFile(join(ROOT, path), 'utf8').catch(() => '')
    if (committed !== wanted) throw new Error(`${path} is not what the routes say. Run: npm run openapi`)
  }
}

export async function writeRouteTable(): Promise<void> {
  for (const [path, text] of routeTableFiles()) await writeFile(join(ROOT, path), text)
}
