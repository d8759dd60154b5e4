import { fakeClock } from '@godwit/base'
import { ERRORS, LIMITS } from '@godwit/contract'
import { ApiError, serverUnavailable } from '@godwit/contract/wire/api-error'
import { describe, expect, it } from 'vitest'
import type { Api } from './http.ts'
import { refreshWhenDue } from './refresh.ts'
import type { Session, SessionStore } from './session.ts'

const SIGNED_IN: Session = { token: 'one', refreshToken: 'first', userId: 'u', account: 'mei', refreshedAt: 0 }

/** A page whose next renewal is answered so. */
function pageWith(answer: () => Promise<unknown>) {
  const page = { session: SIGNED_IN as Session | undefined, endReason: '', calls: 0 }
  const session = {
    get: () => page.session,
    set: (next: Session) => void (page.session = next),
    end: (reason: string) => Object.assign(page, { session: undefined, endReason: reason }),
  } as unknown as SessionStore
  const api = { call: () => (page.calls++, answer()) } as unknown as Api
  const clock = fakeClock(0)
  const after = (ms: number): Promise<void> => {
    clock.advance(ms)
    return refreshWhenDue({ api, session, clock })
  }
  return { page, after }
}

const refusing = (code: number) => () => Promise.reject(new ApiError({ code, message: '' }))

describe('a renewal of the session', () => {
  it('is asked for when the last one is 20 minutes old, and keeps the new pair', async () => {
    const { page, after } = pageWith(() => Promise.resolve({ token: 'two', refresh_token: 'second' }))
    await after(LIMITS.tokenRefreshMs - 1)
    expect(page.calls).toBe(0)
    await after(1)
    const renewed = { token: 'two', refreshToken: 'second', refreshedAt: LIMITS.tokenRefreshMs }
    expect(page.session).toEqual({ ...SIGNED_IN, ...renewed })
  })

  it('ends the session when the server no longer knows it', async () => {
    const { page, after } = pageWith(refusing(ERRORS.TOKEN_INVALID.wire))
    await after(LIMITS.tokenRefreshMs)
    expect(page).toMatchObject({ session: undefined, endReason: 'expired' })
  })

  it.each([
    ['is busy', refusing(ERRORS.SERVER_BUSY.wire)],
    ['counts too many calls', refusing(ERRORS.RATE_LIMITED.wire)],
    ['has a fault', refusing(ERRORS.INTERNAL.wire)],
    ['does not answer', () => Promise.reject(serverUnavailable())],
  ])('is asked for again, and the session stays, when the server %s', async (_state, answer) => {
    const { page, after } = pageWith(answer)
    await after(LIMITS.tokenRefreshMs)
    expect(page.session).toEqual(SIGNED_IN)
    await after(60_000)
    expect(page.calls).toBe(2)
  })
})
