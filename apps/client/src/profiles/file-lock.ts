import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { Semaphore } from '@godwit/base'

/** Changes take milliseconds. */
const PATIENCE_MS = 5000
const LOOK_MS = 10

/** @returns undefined while another holder has it. The operating system frees the lock however its process ends. */
export async function tryLock(folder: string, name: string): Promise<Disposable | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lock = new DatabaseSync(join(folder, name), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return { [Symbol.dispose]: () => lock.close() }
  } catch (thrown) {
    lock.close()
    if (thrown instanceof Error && thrown.message.includes('locked')) return undefined
    throw thrown
  }
}

/** Programs wait for each other by looking again; within this one they stand in line. */
const turn = new Semaphore(1)

/**
 * Reads and writes settings of a folder while no other program does, so that two at once do not undo each other.
 * @throws Error when another program does not come to its end
 */
export function whileLocked<T>(folder: string, change: () => Promise<T>): Promise<T> {
  return turn.run(async () => {
    using _lock = await settingsLock(folder)
    return await change()
  })
}

async function settingsLock(folder: string): Promise<Disposable> {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += LOOK_MS) {
    const lock = await tryLock(folder, 'settings.lock')
    if (lock !== undefined) return lock
    await sleep(LOOK_MS)
  }
  throw new Error(`another program is changing the settings in ${folder}`)
}
