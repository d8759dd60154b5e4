import { ERRORS } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createApi } from './http.ts'
import type { Session, SessionStore } from './session.ts'

const SIGNED_IN: Session = { token: 'one', refreshToken: 'first', userId: 'u', account: 'mei', refreshedAt: 0 }

/** A page whose calls are answered by the token they carry. */
function pageWith(answer: (token: string) => Promise<Response>) {
  const page = { session: SIGNED_IN as Session | undefined, endReason: '', tokens: [] as string[] }
  const session = {
    get: () => page.session,
    end: (reason: string) => Object.assign(page, { session: undefined, endReason: reason }),
  } as unknown as SessionStore
  vi.stubGlobal('fetch', async (_input: unknown, init: RequestInit) => {
    const token = (new Headers(init.headers).get('authorization') ?? '').replace('Bearer ', '')
    page.tokens.push(token)
    return answer(token)
  })
  const ask = async (): Promise<unknown> => createApi({ session, locale: () => 'en-US' }).call(routes.auth.logout, {})
  return { page, ask }
}

const refusal = (): Response => Response.json({ code: ERRORS.TOKEN_INVALID.wire, message: '' }, { status: 401 })
const success = (): Response => Response.json({ code: 200, message: '', data: {} })

describe('a call whose token is refused', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('is repeated with the next token when the session was renewed meanwhile', async () => {
    const { page, ask } = pageWith(async (token) => {
      if (token !== 'one') return success()
      page.session = { ...SIGNED_IN, token: 'two', refreshToken: 'second' }
      return refusal()
    })
    await ask()
    expect(page).toMatchObject({ tokens: ['one', 'two'], endReason: '' })
  })

  it('ends the session and is not repeated when there is no other token', async () => {
    const { page, ask } = pageWith(async () => refusal())
    await expect(ask()).rejects.toMatchObject({ name: 'TOKEN_INVALID' })
    expect(page).toMatchObject({ tokens: ['one'], session: undefined, endReason: 'expired' })
  })

  it('is repeated once: the next refusal ends the session', async () => {
    const { page, ask } = pageWith(async (token) => {
      if (token === 'one') page.session = { ...SIGNED_IN, token: 'two' }
      return refusal()
    })
    await expect(ask()).rejects.toMatchObject({ name: 'TOKEN_INVALID' })
    await vi.waitFor(() => expect(page).toMatchObject({ tokens: ['one', 'two'], endReason: 'expired' }))
  })
})
