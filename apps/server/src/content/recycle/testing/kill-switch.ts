import type { ObjectStore } from '@godwit/storage'
import type { KyselyPlugin } from 'kysely'
import type { World } from '../../../testing/worlds.ts'

/** What every call to the database and the storage meets once the process is dead. */
class Killed extends Error {}

/** Storage calls that change something: the points around them are those where books and disk may come apart. */
const CHANGING = ['createFolder', 'ensureFolder', 'move', 'copy', 'remove', 'writeFiles'] as const

/**
 * Kills a process at one of its calls to the database or the storage: that call and all later ones fail without an effect,
 * as they would not happen any more. Transactions that are open are rolled back, as by a database whose client died.
 */
export class KillSwitch {
  #left = Number.POSITIVE_INFINITY
  #counted: string | undefined
  #calls: string[] = []
  isDead = false

  /** The same world, with its database behind the switch. */
  world(world: World): World {
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => {
        this.#pass('query')
        return node
      },
      transformResult: ({ result }) => Promise.resolve(result),
    }
    const { database } = world
    return { ...world, database: { ...database, db: database.db.withPlugin(plugin) } }
  }

  /** @param more calls to count besides those that every change is made of */
  watch(store: ObjectStore, more: ReadonlyArray<keyof ObjectStore> = []): void {
    for (const name of [...CHANGING, ...more]) {
      const call: unknown = Reflect.get(store, name)
      if (typeof call !== 'function') throw new Error(`a storage without ${String(name)}`)
      const watched = async (...args: readonly unknown[]): Promise<unknown> => {
        this.#pass(String(name))
        return Reflect.apply(call, store, args) as unknown
      }
      Object.defineProperty(store, name, { value: watched, configurable: true })
    }
  }

  /**
   * @param calls let through before the kill; without it all of them, only to be counted
   * @param counted the one kind of call that counts: the number of the others depends on how fast the machine is
   */
  arm(calls = Number.POSITIVE_INFINITY, counted?: string): void {
    this.#left = calls
    this.#counted = counted
    this.#calls = []
  }

  /** The next process. @returns what was called since the switch was armed */
  revive(): readonly string[] {
    this.isDead = false
    this.#left = Number.POSITIVE_INFINITY
    return this.#calls
  }

  #pass(call: string): void {
    const isCounted = this.#counted === undefined || this.#counted === call
    if (this.isDead || (isCounted && this.#left === 0)) {
      this.isDead = true
      throw new Killed('the process is dead')
    }
    if (isCounted) this.#left--
    this.#calls.push(call)
  }
}

/** The points just before and just after each change of the storage, the very first call, and those that end the work. */
export function pointsAroundChanges(calls: readonly string[]): number[] {
  const points = calls.flatMap((call, at) => (call === 'query' ? [] : [at, at + 1]))
  const last = [3, 2, 1].map((left) => calls.length - left)
  return [...new Set([0, ...points, ...last])].filter((point) => point >= 0 && point < calls.length)
}
