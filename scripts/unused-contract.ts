import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as contract from '@godwit/contract'
import { ROOT } from './steps.ts'

/**
 * What the contract names and the product does not use yet: codes nobody answers, limits nothing keeps, states nothing is in.
 * The list may only shrink: `npm run unused-contract` takes out what has come into use and never adds a name.
 */

const LIST = 'packages/contract/unused.json'
/** The contract itself and the texts name everything; only what acts on a name uses it. */
const SOURCES = ['apps/*/src/**/*.{ts,tsx}', 'packages/{contract,transfer}/src/**/*.ts']
const NOT_A_USE = /\.test\.tsx?$|\/testing\/|contract\/src\/(?:errors\/|limits\.ts|index\.ts)/

/** The kinds of names, each with its names in the order of the contract. */
export type Names = Readonly<Record<'errors' | 'limits' | 'states', readonly string[]>>

/** Refuses a name that came into the contract without a use, and a list that still holds a name in use. */
export async function checkUnusedContract(): Promise<string> {
  const [found, listed] = [await unusedNames(), await readList()]
  const added = without(found, listed)
  const used = without(listed, found)
  if (added.length > 0)
    throw new Error(`the contract names what nothing uses: ${added.join(', ')}. Use it, or take it out`)
  if (used.length > 0) throw new Error(`in use by now: ${used.join(', ')}. Run: npm run unused-contract`)
  return `${Object.values(listed).flat().length} names wait for their feature`
}

async function unusedNames(): Promise<Names> {
  const files = new Map<string, string>()
  for await (const file of glob(SOURCES, { cwd: ROOT })) {
    if (!NOT_A_USE.test(file)) files.set(file, await readFile(join(ROOT, file), 'utf8'))
  }
  return unusedIn([...files.values()], contractNames())
}

function contractNames(): Names {
  const constants = Object.entries(contract).filter(
    ([name, value]) => /^[A-Z][A-Z\d_]+$/.test(name) && typeof value === 'object',
  )
  return {
    errors: Object.keys(contract.ERRORS),
    limits: Object.keys(contract.LIMITS),
    states: constants.map(([name]) => name).filter((name) => name !== 'ERRORS' && name !== 'LIMITS'),
  }
}

/** Which names none of the sources uses. A constant's own declaration is no use. */
export function unusedIn(sources: readonly string[], names: Names): Names {
  const words = new Map<string, number>()
  for (const source of sources) {
    for (const [word] of source.matchAll(/LIMITS\.\w+|\b[A-Z][A-Z\d_]+\b/g)) words.set(word, (words.get(word) ?? 0) + 1)
    for (const [, list = ''] of source.matchAll(/\{([^{}]*)\} = LIMITS\b/g)) {
      for (const [name] of list.matchAll(/\w+/g)) words.set(`LIMITS.${name}`, 1)
    }
  }
  return {
    errors: names.errors.filter((name) => !words.has(name)),
    limits: names.limits.filter((name) => !words.has(`LIMITS.${name}`)),
    states: names.states.filter((name) => (words.get(name) ?? 0) < 2),
  }
}

async function readList(): Promise<Names> {
  return JSON.parse(await readFile(join(ROOT, LIST), 'utf8')) as Names
}

function without(names: Names, others: Names): readonly string[] {
  return KINDS.flatMap((kind) => names[kind].filter((name) => !others[kind].includes(name)))
}

const KINDS = ['errors', 'limits', 'states'] as const

if (import.meta.main) {
  const [found, listed] = [await unusedNames(), await readList()]
  const left = Object.fromEntries(
    KINDS.map((kind) => [kind, listed[kind].filter((name) => found[kind].includes(name))]),
  )
  await writeFile(join(ROOT, LIST), `${JSON.stringify(left, undefined, 2)}\n`)
}
