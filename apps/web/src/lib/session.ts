import { createStore, type Store } from './store.ts'
import { readStoredJson, writeStored } from './storage.ts'

/** Who is signed in on this browser. All tabs share it. */
export interface Session {
  readonly token: string
  /** '' when the session cannot be renewed. */
  readonly refreshToken: string
  readonly userId: string
  readonly account: string
  /** Unix milliseconds of the last sign-in or refresh. */
  readonly refreshedAt: number
}

/** Why the sign-in page is shown; `undefined` when the person came by themselves. */
export type EndReason = 'idle' | 'ended-by-server' | 'expired' | 'logged-out'

const PORTAL_KEY = 'godwit.session'

function isSession(value: unknown): value is Session {
  if (typeof value !== 'object' || value === null) return false
  const { token, refreshToken, userId, account, refreshedAt } = value as Record<string, unknown>
  const texts = [token, refreshToken, userId, account]
  return texts.every((text) => typeof text === 'string') && token !== '' && typeof refreshedAt === 'number'
}

function stored(key: string): Session | undefined {
  const value = readStoredJson(key)
  return isSession(value) ? value : undefined
}

export interface SessionStore extends Store<Session | undefined> {
  /** Why the last session ended. */
  readonly endReason: () => EndReason | undefined
  end(reason: EndReason): void
  /** The person is about to end the session from here, so what the server says of it is no news. */
  expectEnd(isExpected: boolean): void
  readonly isEndExpected: () => boolean
}

/**
 * A session of this browser, kept in local storage and followed over all tabs.
 * @param key what it is kept under; each visit of a link has one of its own
 */
export function createSessionStore(key = PORTAL_KEY): SessionStore {
  const store = createStore<Session | undefined>(stored(key))
  let reason: EndReason | undefined
  let isExpected = false
  const follow = (event: StorageEvent): void => {
    if (event.key !== key && event.key !== null) return
    const next = stored(key)
    if (next === undefined && store.get() !== undefined) reason = 'logged-out'
    store.set(next)
  }
  // The server draws first views, and has no tabs.
  if (typeof addEventListener !== 'undefined') addEventListener('storage', follow)
  const set = (next: Session | undefined): void => {
    writeStored(key, next === undefined ? undefined : JSON.stringify(next))
    store.set(next)
  }
  return {
    ...store,
    set(next) {
      reason = undefined
      isExpected = false
      set(next)
    },
    update: (change) => set(change(store.get())),
    endReason: () => reason,
    end(why) {
      // A call that was still under way when it ended says nothing about why it did.
      if (store.get() === undefined) return
      reason = isExpected ? 'logged-out' : why
      isExpected = false
      set(undefined)
    },
    expectEnd(expected) {
      isExpected = expected
    },
    isEndExpected: () => isExpected,
  }
}
