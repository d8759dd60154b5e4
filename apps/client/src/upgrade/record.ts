import { join } from 'node:path'
import { clientFolder, readIfThere, writeWhole } from '../profiles/profile.ts'
import { isKey } from './signing.ts'

/** What the client remembers of upgrades. */
export interface UpgradeRecord {
  /** Public keys that the owner of this computer added to those of the package. */
  readonly trusted: readonly string[]
  /** The last one that did not come about; undefined after one that did. */
  readonly failed?: { readonly version: string; readonly reason: string; readonly at: number } | undefined
}

const EMPTY: UpgradeRecord = { trusted: [] }

const fileIn = (folder: string): string => join(folder, 'upgrades.json')

export async function readRecord(environment: NodeJS.ProcessEnv): Promise<UpgradeRecord> {
  const text = await readIfThere(fileIn(clientFolder(environment)))
  return text === undefined ? EMPTY : { ...EMPTY, ...(JSON.parse(text) as Partial<UpgradeRecord>) }
}

export async function changeRecord(environment: NodeJS.ProcessEnv, change: Partial<UpgradeRecord>): Promise<void> {
  const folder = clientFolder(environment)
  const changed = { ...(await readRecord(environment)), ...change }
  await writeWhole(folder, fileIn(folder), JSON.stringify(changed, undefined, 2))
}

/** @throws Error for what is no key */
export async function trustKey(environment: NodeJS.ProcessEnv, key: string): Promise<void> {
  if (!isKey(key)) throw new Error('a key has 43 letters, digits, - and _')
  const { trusted } = await readRecord(environment)
  await changeRecord(environment, { trusted: [...new Set([...trusted, key])] })
}
