import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'

/** Where the client keeps what. All are folders of the user's own. */
export interface ClientPlaces {
  /** Sign-ins, preferences and trusted keys: what a person would copy to another computer. */
  readonly config: string
  /** The queue and the device: what belongs to this computer alone. */
  readonly state: string
  /** What can be fetched again. */
  readonly cache: string
}

export interface PlaceFacts {
  readonly system: NodeJS.Platform
  readonly environment: NodeJS.ProcessEnv
  readonly home: string
  readonly isThere: (path: string) => boolean
}

const NAME = 'godwit-client'
/** What a client that kept everything in one folder left there. */
const OLD_STATE = ['device-id', 'queue.db', 'tasks']
const OLD_CONFIG = ['profiles.json', 'preferences.json', 'upgrades.json']

/**
 * The folders that the system has for programs: XDG Base Directory specification, Known Folders of Windows, File System Programming
 * Guide of Apple. An installation from before keeps the one folder it has: an upgrade may go back to a version that knows no other.
 * `GODWIT_CLIENT_HOME` names one folder for everything.
 */
export function placesOf({ system, environment, home, isThere }: PlaceFacts): ClientPlaces {
  const paths = system === 'win32' ? win32 : posix
  const folderIn = (name: string, usual: string): string => userFolder(environment[name], usual, { home, paths })
  const named = environment['GODWIT_CLIENT_HOME']
  if (named) return allIn(named)
  const old = paths.join(folderIn('XDG_CONFIG_HOME', '.config'), NAME)
  const hasOld = (names: readonly string[]): boolean => names.some((name) => isThere(paths.join(old, name)))
  if (hasOld(OLD_STATE)) return allIn(old)
  if (system !== 'win32' && system !== 'darwin')
    return {
      config: old,
      state: paths.join(folderIn('XDG_STATE_HOME', '.local/state'), NAME),
      cache: paths.join(folderIn('XDG_CACHE_HOME', '.cache'), NAME),
    }
  if (hasOld(OLD_CONFIG)) return allIn(old)
  if (system === 'darwin') {
    const support = paths.join(home, 'Library', 'Application Support', NAME)
    return { config: support, state: support, cache: paths.join(home, 'Library', 'Caches', NAME) }
  }
  const local = paths.join(folderIn('LOCALAPPDATA', 'AppData/Local'), NAME)
  return {
    config: paths.join(folderIn('APPDATA', 'AppData/Roaming'), NAME),
    state: paths.join(local, 'State'),
    cache: paths.join(local, 'Cache'),
  }
}

function allIn(folder: string): ClientPlaces {
  return { config: folder, state: folder, cache: folder }
}

interface Home {
  readonly home: string
  readonly paths: Pick<typeof posix, 'join' | 'isAbsolute'>
}

/** "All paths must be absolute": any other is ignored, and so is an empty one. */
function userFolder(given: string | undefined, usual: string, { home, paths }: Home): string {
  return given !== undefined && paths.isAbsolute(given) ? given : paths.join(home, usual)
}

/** A folder of the user by its variable, else at its usual place in the home. */
export function xdgFolder(environment: NodeJS.ProcessEnv, name: string, usual: string): string {
  return userFolder(environment[name], usual, { home: homedir(), paths: posix })
}

/** Those of this computer and its user. */
export function clientPlaces(environment: NodeJS.ProcessEnv): ClientPlaces {
  return placesOf({ environment, system: process.platform, home: homedir(), isThere: existsSync })
}
