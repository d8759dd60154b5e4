import { describe, expect, it } from 'vitest'
import type { BegunSignIn } from '../server-link/device-sign-in.ts'
import { SignInRefused } from '../server-link/device-sign-in.ts'
import type { Profiles } from '../profiles/profile.ts'
import { PageSignIn } from './sign-in.ts'

const A = 'https://a.example'
const B = 'https://b.example'

/** Servers that answer when the test says so. */
function world() {
  const codes = new Map([A, B].map((server) => [server, Promise.withResolvers<void>()] as const))
  const tokens = new Map([A, B].map((server) => [server, Promise.withResolvers<string>()] as const))
  const kept: string[] = []
  const signIn = new PageSignIn({
    profiles: {} as Profiles,
    signal: new AbortController().signal,
    async begin(server): Promise<BegunSignIn> {
      await codes.get(server)?.promise
      const token = (): Promise<string> => tokens.get(server)?.promise ?? Promise.reject(new Error('no such server'))
      return { url: `${server}/device`, userCode: 'ABCD-EFGH', expiresIn: 600, token }
    },
    keep: (_profiles, { server, token }) => Promise.resolve(kept.push(`${server} ${token}`)),
  })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { codes, tokens, kept, signIn, settle }
}

describe('a sign-in on the page of the client', () => {
  it('keeps the token that was granted, and is over', async () => {
    const { codes, tokens, kept, signIn, settle } = world()
    codes.get(A)?.resolve()
    await signIn.begin(A)
    expect(signIn.view).toEqual({ server: A, state: 'waiting', url: `${A}/device`, userCode: 'ABCD-EFGH' })
    tokens.get(A)?.resolve('t1')
    await settle()
    expect([kept, signIn.view]).toEqual([[`${A} t1`], null])
  })

  it('gives way to another one, also when the first server answers later', async () => {
    const { codes, tokens, kept, signIn, settle } = world()
    const first = signIn.begin(A)
    codes.get(B)?.resolve()
    await signIn.begin(B)
    codes.get(A)?.resolve()
    await first
    expect(signIn.view).toMatchObject({ server: B })
    tokens.get(A)?.resolve('late')
    await settle()
    expect(kept).toEqual([])
    expect(signIn.view).toMatchObject({ server: B })
  })

  it('that was stopped keeps no token that comes afterwards', async () => {
    const { codes, tokens, kept, signIn, settle } = world()
    codes.get(A)?.resolve()
    await signIn.begin(A)
    signIn.stop()
    tokens.get(A)?.resolve('late')
    await settle()
    expect([kept, signIn.view]).toEqual([[], null])
  })

  it.each([
    ['denied', new SignInRefused('denied')],
    ['expired', new SignInRefused('expired')],
    ['failed', new Error('the server is gone')],
  ])('says that it was %s', async (state, reason) => {
    const { codes, tokens, signIn, settle } = world()
    codes.get(A)?.resolve()
    await signIn.begin(A)
    tokens.get(A)?.reject(reason)
    await settle()
    expect(signIn.view).toMatchObject({ server: A, state })
  })

  it('does not begin where the server cannot be reached', async () => {
    const { codes, signIn } = world()
    codes.get(A)?.reject(new Error('away'))
    await expect(signIn.begin(A)).rejects.toMatchObject({ message: 'LOCAL_SERVER_AWAY' })
    expect(signIn.view).toBeNull()
  })
})
