import path from 'node:path'
import type { Clock, Random } from '@godwit/base'
import { openLocalStore, type ObjectStore } from '@godwit/storage'

/** The stores of this installation, by space. */
export interface Storages {
  /** @returns undefined for a space without storage */
  ofSpace(spaceId: number): ObjectStore | undefined
  all(): readonly ObjectStore[]
  /** Names a store for all nodes. */
  idOf(store: ObjectStore): number
  /** @returns undefined for a storage that is not open here */
  withId(id: number): ObjectStore | undefined
  close(): Promise<void>
}

export interface StoragesOptions {
  /** The data folder; files live in `files` below it. */
  readonly data: string
  /** Bytes of the disk that uploads leave free. */
  readonly reserveBytes: number
  readonly clock: Clock
  readonly random: Random
}

const ONLY = 1

/** One local disk below the data folder: the storage of a fresh installation. */
export async function openStorages({ data, ...options }: StoragesOptions): Promise<Storages> {
  const store = await openLocalStore({ root: path.join(data, 'files'), ...options })
  return {
    // Every space lives on the one disk; who may enter which is not for storages to say.
    ofSpace: () => store,
    all: () => [store],
    idOf: () => ONLY,
    withId: (id) => (id === ONLY ? store : undefined),
    close: async () => store[Symbol.asyncDispose](),
  }
}
