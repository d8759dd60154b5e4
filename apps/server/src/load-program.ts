import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { BUNDLE } from './bundle.ts'
import type * as cli from './cli.ts'
import { isFresh } from './freshness.ts'
import { traceSources } from './stack-traces.ts'

const ROOT = path.join(import.meta.dirname, '../../..')

/** The bundle that `npm run build` made, or the sources when they have changed since. */
export async function loadProgram(): Promise<typeof cli> {
  if (!isFresh(ROOT, BUNDLE)) return import('./cli.ts')
  const bundle = path.join(ROOT, BUNDLE.result)
  traceSources(bundle)
  return (await import(pathToFileURL(bundle).href)) as typeof cli
}
