import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fingerprint, glance } from './fingerprint.ts'

/** Something that a build makes. Every start of the server asks whether it is fresh, so this file imports little. */
export interface Product {
  readonly name: string
  /** A file that exists when the product does. */
  readonly result: string
  /** Files and folders that it is made from. */
  readonly from: readonly string[]
}

/** What the sources were when the product was made from them. */
interface Stamp {
  readonly fingerprint: string
  /** Equal means that nobody touched a file since, so that no file has to be read. */
  readonly glance: string
}

/**
 * Whether the product exists and was made from the sources as they are now.
 * @param root folder that all paths are relative to
 * @param note whether to remember files that were touched and not changed, as by a checkout, so that they are not read again
 */
export function isFresh(root: string, product: Product, { note = false } = {}): boolean {
  const path = stampOf(root, product)
  if (!existsSync(join(root, product.result)) || !existsSync(path)) return false
  const stamp = readStamp(path)
  const now = glance(root, product.from)
  if (stamp?.glance === now) return true
  if (stamp?.fingerprint !== fingerprint(root, product.from)) return false
  if (note) writeFileSync(path, JSON.stringify({ ...stamp, glance: now } satisfies Stamp))
  return true
}

/** Runs `make`; from then on the product is fresh until its sources change. */
export async function makeFresh(root: string, product: Product, make: () => Promise<void>): Promise<void> {
  const path = stampOf(root, product)
  // The former stamp would vouch for a product that was made halfway.
  rmSync(path, { force: true })
  // A source that changes while the product is made may not be in it, so the stamp is of before.
  const stamp: Stamp = { glance: glance(root, product.from), fingerprint: fingerprint(root, product.from) }
  await make()
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(stamp))
}

function stampOf(root: string, { name }: Product): string {
  return join(root, 'node_modules/.cache/godwit', `${name}.stamp`)
}

/** @returns undefined for a stamp that was written halfway, or by another version */
function readStamp(path: string): Stamp | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Stamp
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
