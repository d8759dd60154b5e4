import { hostname } from 'node:os'
import type { Output } from '@godwit/transfer/cli'
import { type Profile, type Profiles } from '../profiles/profile.ts'
import { connectApi, type Api, type PlaceIds } from '../server-link/api.ts'
import { realFolder } from '../watch/watches.ts'

/** A mistake in the command line; the message is shown to the user. */
export class UsageError extends Error {}

/** Options of all commands. */
export interface Options extends Pick<PlaceIds, 'groupId'> {
  /** Undefined: where the account works by default. */
  readonly spaceId: number | undefined
  readonly udp: boolean
  /** Bits per second; Infinity without a limit. */
  readonly rate: number
  /** When the transfer is to have arrived, as it was typed. */
  readonly by: string | undefined
  /** Patterns of files that an upload does not take along. */
  readonly exclude: readonly string[]
  /** Nothing is transferred: the command says what would be. */
  readonly dryRun: boolean
  /** The daemon does it instead of the command. */
  readonly later: boolean
  /** A person decides on the page of the client about files that exist already. */
  readonly ask: boolean
  readonly tokenFile: string | undefined
  /** Which of several sign-ins is meant. */
  readonly server: string | undefined
  readonly account: string | undefined
}

/** What every command is given. */
export interface Context {
  readonly words: readonly string[]
  readonly options: Options
  readonly output: Output
  readonly profiles: Profiles
  readonly environment: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

export interface SignedIn {
  readonly profile: Profile
  readonly api: Api
}

/** @throws UsageError before a sign-in */
export async function signedIn({ profiles, options }: Context): Promise<SignedIn> {
  const { server, account } = options
  const profile = await profiles.read({ server, account })
  if (profile === undefined) throw new UsageError('sign in first: godwit-client login SERVER')
  return { profile, api: connectApi(profile, hostname()) }
}

/** The place that the options name. */
export async function placeOf({ options }: Context, api: Api): Promise<PlaceIds> {
  return { spaceId: options.spaceId ?? (await api.defaultSpace()), groupId: options.groupId }
}

/** @returns the folder without links. @throws UsageError when there is none at this path */
export async function requireFolder(path: string): Promise<string> {
  const folder = await realFolder(path)
  if (folder === undefined) throw new UsageError(`not a folder: ${path}`)
  return folder
}

/** @throws UsageError for anything but on or off */
export function switchIn([choice, ...more]: readonly string[], name: string): boolean {
  if ((choice !== 'on' && choice !== 'off') || more.length > 0) throw new UsageError(`${name} takes on or off`)
  return choice === 'on'
}
