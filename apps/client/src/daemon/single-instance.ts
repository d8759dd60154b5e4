import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { writeWhole } from '../profiles/profile.ts'

/** Proof that no other daemon of the folder runs. */
export interface Instance extends Disposable {
  readonly pid: number
}

const pidFile = (folder: string): string => join(folder, 'daemon.pid')

/** @returns undefined when another one runs. The operating system frees the lock however the process ends. */
export async function becomeInstance(folder: string): Promise<Instance | undefined> {
  const lock = await tryLock(folder)
  if (lock === undefined) return undefined
  await writeWhole(folder, pidFile(folder), String(process.pid))
  return { pid: process.pid, [Symbol.dispose]: () => lock.close() }
}

/** @returns the process that runs; undefined without one, whatever an earlier one left behind */
export async function runningInstance(folder: string): Promise<number | undefined> {
  const lock = await tryLock(folder)
  if (lock !== undefined) {
    lock.close()
    return undefined
  }
  const pid = Number(await readFile(pidFile(folder), 'utf8'))
  return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined
}

async function tryLock(folder: string): Promise<DatabaseSync | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lock = new DatabaseSync(join(folder, 'daemon.lock'), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (thrown) {
    lock.close()
    if (thrown instanceof Error && thrown.message.includes('locked')) return undefined
    throw thrown
  }
}
