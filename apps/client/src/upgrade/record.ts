import { join } from 'node:path'
import { isOlder, type UpgradeReport } from '@godwit/contract'
import { CLIENT_VERSION } from '../version.ts'
import { clientPlaces } from '../profiles/places.ts'
import { readIfThere, writeWhole } from '../profiles/profile.ts'
import { isKey } from './signing.ts'

/** What the client remembers of upgrades. */
export interface UpgradeRecord {
  /** Public keys that the owner of this computer added to those of the package. */
  readonly trusted: readonly string[]
  /** The last one that did not come about; undefined while another one is under way, and after one that came about. */
  readonly failed?: FailedUpgrade | undefined
}

export interface FailedUpgrade extends UpgradeReport {
  /** What exactly was the matter, for whoever reads the file. */
  readonly detail: string
  /** Unix milliseconds. */
  readonly at: number
}

const EMPTY: UpgradeRecord = { trusted: [] }

const fileIn = (folder: string): string => join(folder, 'upgrades.json')

export async function readRecord(environment: NodeJS.ProcessEnv): Promise<UpgradeRecord> {
  const text = await readIfThere(fileIn(clientPlaces(environment).config))
  return text === undefined ? EMPTY : { ...EMPTY, ...(JSON.parse(text) as Partial<UpgradeRecord>) }
}

export async function changeRecord(environment: NodeJS.ProcessEnv, change: Partial<UpgradeRecord>): Promise<void> {
  const { config: folder } = clientPlaces(environment)
  const changed = { ...(await readRecord(environment)), ...change }
  await writeWhole(folder, fileIn(folder), JSON.stringify(changed, undefined, 2))
}

/** What is reported to servers of the last upgrade. One to what runs, or to something older, is of no concern any more. */
export async function reportOf(environment: NodeJS.ProcessEnv): Promise<UpgradeReport | null> {
  const { failed } = await readRecord(environment)
  if (failed === undefined || !isOlder(CLIENT_VERSION, failed.version)) return null
  return { version: failed.version, reason: failed.reason }
}

/** @throws Error for what is no key */
export async function trustKey(environment: NodeJS.ProcessEnv, key: string): Promise<void> {
  if (!isKey(key)) throw new Error('a key has 43 letters, digits, - and _')
  const { trusted } = await readRecord(environment)
  await changeRecord(environment, { trusted: [...new Set([...trusted, key])] })
}
