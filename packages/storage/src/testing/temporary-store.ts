import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { secureRandom, systemClock } from '@godwit/base'
import { openLocalStore } from '../local/local-store.ts'
import type { ObjectStore } from '../object-store.ts'

export interface TemporaryStore {
  readonly store: ObjectStore
  /** Folder of the store. */
  readonly root: string
  /** A folder beside it that must never change. */
  readonly outside: string
  close(): Promise<void>
}

/** A store on the real disk, with a forbidden neighbour. */
export async function temporaryStore(): Promise<TemporaryStore> {
  const home = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), 'godwit-store-')))
  const root = path.join(home, 'root')
  const outside = path.join(home, 'outside')
  await fs.mkdir(outside)
  const store = await openLocalStore({ root, clock: systemClock, random: secureRandom })
  return { store, root, outside, close: () => fs.rm(home, { recursive: true }) }
}
