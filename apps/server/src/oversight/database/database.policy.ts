import type { DatabaseView } from '@godwit/contract'

export interface ServerVersion {
  readonly engine: Exclude<DatabaseView['engine'], 'SQLite'>
  /** Numbers and points only. */
  readonly version: string
  readonly isSupported: boolean
}

/** Oldest versions that are tested. */
const OLDEST = { MySQL: [8, 0], MariaDB: [10, 11] } as const

/** @param text what the server answers to `select version()`, such as `10.11.6-MariaDB-0+deb12u1` */
export function serverVersion(text: string): ServerVersion {
  const engine = /mariadb/i.test(text) ? 'MariaDB' : 'MySQL'
  const version = /^\d+(?:\.\d+)*/.exec(text)?.[0] ?? ''
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor, leastMinor] = OLDEST[engine]
  return { engine, version, isSupported: major > leastMajor || (major === leastMajor && minor >= leastMinor) }
}
