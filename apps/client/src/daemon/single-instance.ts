import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tryLock } from '../profiles/file-lock.ts'
import { writeWhole } from '../profiles/profile.ts'

/** Proof that no other daemon of the folder runs. */
export interface Instance extends Disposable {
  readonly pid: number
}

const LOCK = 'daemon.lock'
const pidFile = (folder: string): string => join(folder, 'daemon.pid')

/** @returns undefined when another one runs. The operating system frees the lock however the process ends. */
export async function becomeInstance(folder: string): Promise<Instance | undefined> {
  const lock = await tryLock(folder, LOCK)
  if (lock === undefined) return undefined
  await writeWhole(folder, pidFile(folder), String(process.pid))
  return { pid: process.pid, [Symbol.dispose]: () => lock[Symbol.dispose]() }
}

/** @returns the process that runs; undefined without one, whatever an earlier one left behind */
export async function runningInstance(folder: string): Promise<number | undefined> {
  const lock = await tryLock(folder, LOCK)
  if (lock !== undefined) {
    lock[Symbol.dispose]()
    return undefined
  }
  const pid = Number(await readFile(pidFile(folder), 'utf8'))
  return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined
}
