import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join, relative, sep } from 'node:path'
import type { RateUnit, SyncDirection } from '@godwit/contract'
import { whileLocked } from './file-lock.ts'
import { clientPlaces } from './places.ts'
import { readIfThere, writeWhole } from './profile.ts'

/** A folder of this computer and one of a server: what is new or changed in one goes into the other by itself. */
export interface Watch {
  /** Absolute path of this computer. */
  readonly root: string
  readonly server: string
  readonly account: string
  readonly spaceId: number
  readonly groupId: number
  /** Folder of the server. */
  readonly target: string
  /** Left out by older versions, which knew uploads alone. */
  readonly direction?: SyncDirection
  /** A page of the server asked for it, and its site says how long a file must not have changed. */
  readonly sync?: { readonly restMs: number }
}

/** What the person at this computer decided for all servers. */
export interface Preferences {
  /** Takes what pages download; '' stands for the usual one. */
  readonly downloads: string
  /** Folders that pages may send from by a path, without a dialog at this computer. */
  readonly allowed: readonly string[]
  readonly watches: readonly Watch[]
  /** Patterns of files that no upload takes along, where the account may have its own. */
  readonly exclude: readonly string[]
  /** What all transfers of this computer may take together; 0: no limit. */
  readonly rateMbps: number
  readonly rateUnit: RateUnit
  /** Whether the desktop shows what became of transfers. */
  readonly notifications: boolean
  /** Unix milliseconds until which nothing is transferred; 0: everything goes. */
  readonly pausedUntil: number
}

const DEFAULTS: Preferences = {
  ...{ downloads: '', allowed: [], watches: [], exclude: [] },
  ...{ rateMbps: 0, rateUnit: 'bits', notifications: true, pausedUntil: 0 },
}

const fileIn = (folder: string): string => join(folder, 'preferences.json')

export async function readPreferences(environment: NodeJS.ProcessEnv): Promise<Preferences> {
  const text = await readIfThere(fileIn(clientPlaces(environment).config))
  if (text === undefined) return DEFAULTS
  const kept = { ...DEFAULTS, ...(JSON.parse(text) as Partial<Preferences>) }
  return { ...kept, watches: kept.watches.filter(isWatch) }
}

const DIRECTIONS: readonly unknown[] = ['upload', 'download', undefined] satisfies Array<SyncDirection | undefined>

/** Older versions kept what a server ordered as it came. What nobody can follow is left out. */
function isWatch(kept: unknown): kept is Watch {
  if (typeof kept !== 'object' || kept === null) return false
  const { root, server, account, target, spaceId, groupId, direction, sync }: Partial<Record<keyof Watch, unknown>> =
    kept
  return (
    [root, server, account, target].every((text) => typeof text === 'string') &&
    [spaceId, groupId].every((id) => Number.isSafeInteger(id)) &&
    DIRECTIONS.includes(direction) &&
    (sync === undefined || hasRest(sync))
  )
}

function hasRest(sync: unknown): boolean {
  return typeof sync === 'object' && sync !== null && 'restMs' in sync && typeof sync.restMs === 'number'
}

type Change = Partial<Preferences> | ((before: Preferences) => Partial<Preferences>)

/** @param change of a list: what it is made of, since it may have changed since it was read last; what it throws changes nothing */
export function writePreferences(environment: NodeJS.ProcessEnv, change: Change): Promise<Preferences> {
  const { config: folder } = clientPlaces(environment)
  return whileLocked(folder, async () => {
    const before = await readPreferences(environment)
    const changed = { ...before, ...(typeof change === 'function' ? change(before) : change) }
    await writeWhole(folder, fileIn(folder), JSON.stringify(changed, undefined, 2))
    return changed
  })
}

/** A list of the preferences without one entry. @throws Error where the list does not have it */
export function without(list: readonly string[], entry: string): readonly string[] {
  if (!list.includes(entry)) throw new Error(`${entry} is not in the list`)
  return list.filter((other) => other !== entry)
}

/** The folder that takes downloads. */
export function downloadFolder({ downloads }: Preferences): string {
  return downloads === '' ? join(homedir(), 'Downloads', 'Godwit') : downloads
}

/**
 * A path that a page named. Whoever steals a session of the account could name any path of this computer: only what lies in an
 * allowed folder counts, whatever links lead out of it.
 * @returns the path without links
 */
export async function resolveAllowed(
  { allowed }: Preferences,
  path: string,
): Promise<{ readonly path: string } | 'not-allowed' | 'not-found'> {
  if (!isAbsolute(path)) return 'not-allowed'
  const real = await realpath(path).catch(() => undefined)
  const roots = await Promise.all(allowed.map((root) => realpath(root).catch(() => undefined)))
  const isInside = (candidate: string): boolean => roots.some((root) => root !== undefined && isWithin(root, candidate))
  // Whether something exists outside of the allowed folders is nobody's business.
  if (real === undefined) return isInside(path) ? 'not-found' : 'not-allowed'
  return isInside(real) ? { path: real } : 'not-allowed'
}

export function isWithin(root: string, path: string): boolean {
  const rest = relative(root, path)
  return rest === '' || (rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest))
}
