import type { ObjectStore } from '../object-store.ts'

/** The operations that are one promise; listings are read piece by piece and pass as they are. */
export type StoreCall = {
  [Name in keyof ObjectStore]: ObjectStore[Name] extends (...args: never) => Promise<unknown> ? Name : never
}[Exclude<keyof ObjectStore, symbol>]

/** Something that is done around an operation: it runs `work` once, again, or not at all. */
export type Around = <T>(call: StoreCall, work: () => Promise<T>) => Promise<T>

const CALLS: Readonly<Record<StoreCall, true>> = {
  stat: true,
  statMany: true,
  openRead: true,
  createFolder: true,
  ensureFolder: true,
  move: true,
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

/** The store with `around` about each of its operations. */
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
