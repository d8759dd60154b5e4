import type { ObjectStore } from '../object-store.ts'

/** The operations that return one promise; listings are read piece by piece and are not wrapped. */
export type StoreCall = {
  [Name in keyof ObjectStore]: ObjectStore[Name] extends (...args: never) => Promise<unknown> ? Name : never
}[Exclude<keyof ObjectStore, symbol>]

/** A wrapper around an operation: it runs `work` once, again, or not at all. */
export type Around = <T>(call: StoreCall, work: () => Promise<T>) => Promise<T>

const CALLS: Readonly<Record<StoreCall, true>> = {
  stat: true,
  statMany: true,
  openRead: true,
  createFolder: true,
  ensureFolder: true,
  move: true,
  finishMove: true,
  copy: true,
  remove: true,
  createUpload: true,
  writePart: true,
  appendUpload: true,
  openUpload: true,
  completeUpload: true,
  abortUpload: true,
  writeFiles: true,
  space: true,
  readMark: true,
  writeMark: true,
}

/** The store with each of its operations wrapped by `around`. */
export function aroundEach(store: ObjectStore, around: Around): ObjectStore {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      const method = member.bind(target) as (...args: readonly unknown[]) => Promise<unknown>
      if (!isCall(name)) return method
      return (...args: readonly unknown[]) => around(name, () => method(...args))
    },
  })
}

function isCall(name: string | symbol): name is StoreCall {
  return typeof name === 'string' && Object.hasOwn(CALLS, name)
}
