import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openApiDocument } from '@godwit/contract/openapi'
import { checkRouteTable, writeRouteTable } from './route-table.ts'
import { settingsSchema } from './settings.ts'
import { ROOT } from './steps.ts'

/** `npm run openapi` writes docs/api/openapi.json and the route table from the contract. `npm run check` refuses drift. */

const DOCUMENT = 'docs/api/openapi.json'

/** Refuses a committed document or route table that the contract no longer gives. */
export async function checkOpenApi(): Promise<string> {
  await checkRouteTable()
  const committed = await readFile(join(ROOT, DOCUMENT), 'utf8')
  if (committed !== (await wanted())) throw new Error(`${DOCUMENT} is not what the contract says. Run: npm run openapi`)
  return 'as the contract says'
}

async function wanted(): Promise<string> {
  const manifest = JSON.parse(await readFile(join(ROOT, 'apps/server/package.json'), 'utf8')) as {
    readonly version: string
  }
  return `${JSON.stringify(openApiDocument(manifest.version, { Settings: await settingsSchema() }), undefined, 1)}\n`
}

if (import.meta.main) {
  await writeRouteTable()
  await writeFile(join(ROOT, DOCUMENT), await wanted())
}
