import type { LinkInfo, OperationReply } from '@godwit/contract'
import { errorSpec } from '@godwit/contract/errors/catalogue'
import { receivedLinks } from '@godwit/contract/table/received-links'
import { visits } from '@godwit/contract/table/visits'
import { type Api, createApi, isFailure } from '../../../lib/http.ts'
import { createSessionStore, type SessionStore } from '../../../lib/session.ts'
import { createStore, type Store } from '../../../lib/store.ts'
import { answerChallenge } from './device-key.ts'

/** One link, opened in this browser. Its token is its own: an account that is signed in here has no part in it. */
export interface Visit {
  readonly linkId: string
  readonly session: SessionStore
  readonly api: Api
  /** The link expired, was disabled or never existed: whatever is on the screen is over. */
  readonly hasEnded: Store<boolean>
  /** Who is signed in to the portal in this browser: they alone open links for people of the site. */
  readonly account: SessionStore
  /** Of the personal address that a mail has; undefined for any other. */
  readonly personalToken: string | undefined
  /** Of a link that asks for nothing, while its visit is only beginning. */
  readonly looked: LinkInfo | undefined
  /** The first entries of what such a link shares. */
  readonly listed: OperationReply<'list'> | undefined
}

/** @param path of the page: `/share/{id}`; @param hash `#to=…` of a personal address */
export function createVisit(path: string, locale: () => string, hash = ''): Visit {
  const linkId = path.split('/')[2] ?? ''
  const session = createSessionStore(`godwit.visit.${linkId}`)
  const hasEnded = createStore(false)
  const api = createApi({ session, locale })
  const watched = async <Data>(work: Promise<Data>): Promise<Data> => {
    try {
      return await work
    } catch (error) {
      if (isEnd(error)) hasEnded.set(true)
      throw error
    }
  }
  return {
    linkId,
    session,
    hasEnded,
    account: createSessionStore(),
    looked: undefined,
    listed: undefined,
    personalToken: new URLSearchParams(hash.slice(1)).get('to') ?? undefined,
    api: {
      ...api,
      call: (route, input, options) => watched(api.call(route, input, options)),
      operation: (name, input, options) => watched(api.operation(name, input, options)),
    },
  }
}

export function isEnd(error: unknown): boolean {
  return isFailure(error, 'LINK_EXPIRED') || isFailure(error, 'LINK_NOT_FOUND')
}

const DEVICE_WANTED = errorSpec('LINK_DEVICE_MISMATCH').wire

const CODE_WANTED = errorSpec('LINK_EMAIL_REQUIRED').wire

const SIGN_IN_WANTED = errorSpec('LINK_SIGN_IN_REQUIRED').wire

export interface BeginOptions {
  readonly password?: string
  /** Typed, by whoever came without a personal address. */
  readonly address?: string
  readonly code?: string
  /** Unix milliseconds. */
  readonly now: number
}

/**
 * Begins the visit: afterwards its session stands. A link bound to a device is answered with this browser's key.
 * @returns what is needed besides
 * @throws ApiError LINK_PASSWORD_WRONG, EMAIL_CODE_WRONG, EMAIL_CODE_EXPIRED, LINK_DEVICE_MISMATCH, LINK_EXPIRED, LINK_NOT_FOUND, LINK_NOT_FOR_YOU, RATE_LIMITED; NoDeviceKey
 */
export async function beginVisit(visit: Visit, { password, address, code, now }: BeginOptions): Promise<Begun> {
  const { api, linkId, session } = visit
  const asked = {
    url: linkId,
    ...(password === undefined ? {} : { passwd: password }),
    ...personOf(visit, address),
    ...(code === undefined ? {} : { code }),
  }
  let answer = await api.call(visits.verify, { body: asked })
  if (!answer.result && answer.code === DEVICE_WANTED) {
    const device = await answerChallenge(linkId, answer.challenge)
    answer = await api.call(visits.verify, { body: { ...asked, device } })
  }
  if (!answer.result && answer.code === SIGN_IN_WANTED) return beginAsAccount(visit, now)
  if (!answer.result)
    return answer.code === CODE_WANTED ? { needs: 'code', email: answer.email } : { needs: 'password' }
  session.set({ token: answer.token, refreshToken: '', userId: linkId, account: answer.account, refreshedAt: now })
  return { needs: 'nothing' }
}

/** A link for people of the site, as whoever is signed in here. */
async function beginAsAccount({ api, linkId, session, account: own }: Visit, now: number): Promise<Begun> {
  const token = own.get()?.token
  if (token === undefined) return { needs: 'sign-in' }
  try {
    const begun = await api.call(receivedLinks.open, { body: { url: linkId } }, { token })
    session.set({ token: begun.token, refreshToken: '', userId: linkId, account: begun.account, refreshedAt: now })
    return { needs: 'nothing' }
  } catch (error) {
    if (isFailure(error, 'TOKEN_INVALID')) return { needs: 'sign-in' }
    throw error
  }
}

/** `email` is that of the personal address, as `m…@example.org`; '' for whoever has to type one. */
export type Begun =
  | { readonly needs: 'nothing' | 'password' | 'sign-in' }
  | { readonly needs: 'code'; readonly email: string }

/** Who comes, as the server is told: by a typed address, else by the personal one. */
export function personOf({ personalToken }: Visit, address: string | undefined) {
  if (address !== undefined && address !== '') return { person: { address } }
  return personalToken === undefined ? {} : { person: { to: personalToken } }
}
