import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Endpoint } from '@godwit/transport/node'
import type { KnownPort, KnownPorts } from '../transfers/early-line.ts'
import { whileLocked } from './file-lock.ts'
import type { Keyring } from './keyring.ts'
import { clientPlaces } from './places.ts'

/** An account on a server, and the credential for it. */
export interface Profile {
  /** `https://files.example.org`, without a path. */
  readonly server: string
  /** '' for one that the environment gives. */
  readonly account: string
  readonly token: string
}

/** Which of several is meant; what is left out fits all. */
export interface ProfileChoice {
  readonly server?: string | undefined
  readonly account?: string | undefined
}

/** Remembers which transfer of the server a task is, over runs. */
export interface KeptTransfers {
  /** The transfer that an earlier run of the same task began. */
  transferOf(task: string): Promise<string | undefined>
  keepTransfer(task: string, transferId: string): Promise<void>
  forgetTransfer(task: string): Promise<void>
}

/** In which space each account worked the last time. */
export interface KnownSpaces {
  /** @returns undefined for an account of which nothing is kept */
  spaceOf(who: Omit<Profile, 'token'>): Promise<number | undefined>
  keepSpace(who: Omit<Profile, 'token'>, spaceId: number): Promise<void>
}

/** What the client keeps between two runs: in a folder of the user's own, readable for nobody else. */
export interface Profiles extends KeptTransfers, KnownPorts, KnownSpaces {
  /** The one that fits, of several the one signed in last. */
  read(choice: ProfileChoice): Promise<Profile | undefined>
  list(): Promise<ReadonlyArray<Omit<Profile, 'token'>>>
  /** @returns where the token is kept now */
  write(profile: Profile): Promise<'keyring' | 'file'>
  remove(profile: Omit<Profile, 'token'>): Promise<void>
}

/** As the file has it; a token of '' is in the keyring. */
interface Stored {
  readonly profiles: readonly Profile[]
}

const OWNER_ONLY = 0o600

/** @param environment GODWIT_SERVER and GODWIT_TOKEN take the place of a sign-in */
export function openProfiles(environment: NodeJS.ProcessEnv, keyring: Keyring | undefined): Profiles {
  const { config, state, cache } = clientPlaces(environment)
  const learned = openCache(cache)
  const file = join(config, 'profiles.json')
  const tasks = join(state, 'tasks')
  const taskFile = (task: string): string => join(tasks, createHash('sha256').update(task).digest('hex').slice(0, 32))
  const stored = async (): Promise<readonly Profile[]> => {
    const text = await readIfThere(file)
    return text === undefined ? [] : (JSON.parse(text) as Stored).profiles
  }
  const store = (profiles: readonly Profile[]): Promise<void> =>
    writeWhole(config, file, JSON.stringify({ profiles } satisfies Stored, undefined, 2))
  return {
    async read(choice) {
      const { GODWIT_SERVER: server, GODWIT_TOKEN: token } = environment
      if (server !== undefined && token !== undefined) return { server, account: '', token }
      const found = (await stored()).find((profile) => fits(profile, choice))
      if (found === undefined || found.token !== '') return found
      const kept = await keyring?.lookup(found)
      return kept === undefined ? undefined : { ...found, token: kept }
    },
    async list() {
      return (await stored()).map(({ server, account }) => ({ server, account }))
    },
    async write(profile) {
      const isInKeyring = (await keyring?.store(profile, profile.token)) ?? false
      await whileLocked(config, async () => {
        const others = (await stored()).filter((other) => !fits(other, profile))
        await store([isInKeyring ? { ...profile, token: '' } : profile, ...others])
      })
      return isInKeyring ? 'keyring' : 'file'
    },
    async remove(profile) {
      const all = await whileLocked(config, async () => {
        const before = await stored()
        await store(before.filter((other) => !fits(other, profile)))
        return before
      })
      if (all.some((other) => fits(other, profile) && other.token === '')) await keyring?.clear(profile)
    },
    transferOf: (task) => readIfThere(taskFile(task)),
    keepTransfer: (task, transferId) => writeWhole(tasks, taskFile(task), transferId),
    forgetTransfer: (task) => rm(taskFile(task), { force: true }),
    ...learned,
  }
}

/** What can be learned again: a file that says nothing of use counts as none. */
function openCache(cache: string): KnownPorts & KnownSpaces {
  const ports = cachedIn<StoredPort>(cache, 'ports.json')
  const spaces = cachedIn<number>(cache, 'spaces.json')
  const nameOf = ({ server, account }: Omit<Profile, 'token'>): string => `${account} at ${server}`
  return {
    portOf: async (server) => knownPort(await ports.of(server)),
    keepPort: (server, { host, port, channel: { id, key } }) =>
      ports.keep(server, { host, port, channel: { id, key: Buffer.from(key).toString('base64url') } }),
    spaceOf: (who) => spaces.of(nameOf(who)),
    keepSpace: (who, spaceId) => spaces.keep(nameOf(who), spaceId),
  }
}

/** Older versions kept no channel. */
interface StoredPort extends Endpoint {
  readonly channel?: { readonly id: string; readonly key: string }
}

function knownPort(stored: StoredPort | undefined): KnownPort | undefined {
  if (stored?.channel === undefined) return undefined
  const { host, port, channel } = stored
  return { host, port, channel: { id: channel.id, key: Buffer.from(channel.key, 'base64url') } }
}

interface Cached<T> {
  of(name: string): Promise<T | undefined>
  keep(name: string, value: T): Promise<void>
}

function cachedIn<T>(cache: string, name: string): Cached<T> {
  const file = join(cache, name)
  const read = async (): Promise<Readonly<Record<string, T | undefined>>> => {
    const text = await readIfThere(file)
    try {
      return text === undefined ? {} : (JSON.parse(text) as Record<string, T>)
    } catch {
      return {}
    }
  }
  return {
    of: async (key) => (await read())[key],
    keep: async (key, value) =>
      writeWhole(cache, file, JSON.stringify({ ...(await read()), [key]: value }, undefined, 2)),
  }
}

function fits(profile: Omit<Profile, 'token'>, { server, account }: ProfileChoice): boolean {
  return (server === undefined || profile.server === server) && (account === undefined || profile.account === account)
}

/** @returns undefined for a file that is not there */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined
    throw thrown
  }
}

let writings = 0

/** A run that is killed leaves the old file or the new one. */
export async function writeWhole(folder: string, file: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Of this call alone: another one, also of another process, would take it away.
  const part = `${file}.${process.pid}-${writings++}.part`
  try {
    await writeFile(part, text, { mode: OWNER_ONLY, flush: true })
    await rename(part, file)
  } catch (thrown) {
    await rm(part, { force: true })
    throw thrown
  }
}
