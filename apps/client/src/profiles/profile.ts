import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** A server and the credential for it. */
export interface Profile {
  /** `https://files.example.org`, without a path. */
  readonly server: string
  readonly token: string
}

/** What the client keeps between two runs: in a folder of the user's own, readable for nobody else. */
export interface Profiles {
  read(): Promise<Profile | undefined>
  write(profile: Profile): Promise<void>
  /** The transfer that an earlier run of the same task began. */
  transferOf(task: string): Promise<string | undefined>
  keepTransfer(task: string, transferId: string): Promise<void>
  forgetTransfer(task: string): Promise<void>
}

const OWNER_ONLY = 0o600

/** @param environment GODWIT_CLIENT_HOME names another folder; GODWIT_SERVER and GODWIT_TOKEN take the place of a sign-in */
export function openProfiles(environment: NodeJS.ProcessEnv): Profiles {
  const config = environment['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
  const folder = environment['GODWIT_CLIENT_HOME'] ?? join(config, 'godwit-client')
  const profile = join(folder, 'profile.json')
  const taskFile = (task: string): string =>
    join(folder, 'tasks', createHash('sha256').update(task).digest('hex').slice(0, 32))
  return {
    async read() {
      const { GODWIT_SERVER: server, GODWIT_TOKEN: token } = environment
      if (server !== undefined && token !== undefined) return { server, token }
      const text = await readIfThere(profile)
      return text === undefined ? undefined : (JSON.parse(text) as Profile)
    },
    write: (wanted) => writeWhole(folder, profile, JSON.stringify(wanted)),
    transferOf: (task) => readIfThere(taskFile(task)),
    keepTransfer: (task, transferId) => writeWhole(join(folder, 'tasks'), taskFile(task), transferId),
    forgetTransfer: (task) => rm(taskFile(task), { force: true }),
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined
    throw thrown
  }
}

/** A run that is killed leaves the old file or the new one. */
async function writeWhole(folder: string, file: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const part = `${file}.part`
  await writeFile(part, text, { mode: OWNER_ONLY, flush: true })
  await rename(part, file)
}
