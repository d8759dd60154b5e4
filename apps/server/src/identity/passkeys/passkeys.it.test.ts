import { secureRandom } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { softAuthenticator, type Authenticator, type Lies } from '../../testing/authenticators.ts'
import { DATABASES, type World } from '../../testing/worlds.ts'
import { createUser, type UserRow } from '../users/index.ts'
import { createChallenges } from './challenges.ts'
import {
  beginLogin,
  beginRegistration,
  finishRegistration,
  listPasskeys,
  proveByPasskey,
  removePasskey,
  renamePasskey,
  type PasskeysDeps,
} from './passkeys.service.ts'

const ORIGIN = 'https://files.example.org'
const SITE = { origin: ORIGIN, id: 'files.example.org' }
const REFUSED = { wire: 5444 }

for (const { dialect, open } of DATABASES) {
  describe(`passkeys on ${dialect}`, () => {
    let world: World
    let deps: PasskeysDeps
    let mei: UserRow
    let tom: UserRow
    let phone: Authenticator

    beforeEach(async () => {
      world = await open()
      const { clock, bus, ids, database } = world
      const { db } = database
      const users = { db, clock, random: secureRandom, ids, bus, passwordPreset: 'standard' } as const
      deps = { db, clock, ids, challenges: createChallenges({ db, clock }) }
      mei = await createUser(users, { account: 'mei', email: '', password: 'Sunrise-42x' })
      tom = await createUser(users, { account: 'tom', email: '', password: 'Sunrise-42x' })
      phone = softAuthenticator(ORIGIN)
    })
    afterEach(async () => world[Symbol.asyncDispose]())

    const begin = (user = mei) => beginRegistration(deps, user, { site: SITE, siteName: 'Godwit' })
    const register = async (device = phone, lies: Lies = {}) => {
      const { challenge } = await begin()
      return finishRegistration(deps, mei, { site: SITE, name: 'Phone', response: device.create(challenge, lies) })
    }
    const signIn = async (lies: Lies = {}, device = phone) => {
      const { challengeId } = await beginLogin(deps, SITE)
      return proveByPasskey(deps, SITE, { challengeId, response: device.get(challengeId, lies) })
    }

    it('sign in whoever made them, and show when', async () => {
      await register()
      world.clock.advance(1_000)
      expect(await signIn()).toBe(mei.id)
      expect(await signIn()).toBe(mei.id)
      expect(await listPasskeys(deps, mei.id)).toMatchObject([{ name: 'Phone', lastUsedAt: world.clock.now() }])
      expect(await listPasskeys(deps, tom.id)).toEqual([])
    })

    it('ask the device to know the account and to prove the person', async () => {
      expect((await begin()).authenticatorSelection).toMatchObject({
        residentKey: 'required',
        userVerification: 'required',
      })
      const { options } = await beginLogin(deps, SITE)
      expect(options.userVerification).toBe('required')
      expect(options.allowCredentials ?? []).toEqual([])
    })

    it.each<[string, Lies]>([
      ['from another page', { origin: 'https://files.example.org.evil.example' }],
      ['for another site', { site: 'evil.example' }],
      ['without proof of the person', { flags: 1 }],
      ['without a person', { flags: 0 }],
      ['to another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
      ['of the other kind', { type: 'payment.get' }],
      ['with a counter that went back, as of a copy', { counter: 1 }],
    ])('are refused an answer %s', async (_, lies) => {
      await register()
      await signIn()
      await signIn()
      await expect(signIn(lies)).rejects.toMatchObject(REFUSED)
      expect(await signIn({ counter: 100 })).toBe(mei.id)
    })

    it.each<[string, Lies]>([
      ['from another page', { origin: 'http://files.example.org' }],
      ['for another site', { site: 'evil.example' }],
      ['without proof of the person', { flags: 1 }],
      ['to another challenge', { challenge: 'AAAA' }],
      ['of the other kind', { type: 'webauthn.get' }],
    ])('are not kept from a making %s', async (_, lies) => {
      await expect(register(phone, lies)).rejects.toMatchObject(REFUSED)
      expect(await listPasskeys(deps, mei.id)).toEqual([])
    })

    it('are refused when another device signs, and when nobody knows the device', async () => {
      await register()
      const stranger = softAuthenticator(ORIGIN)
      await expect(signIn({}, stranger)).rejects.toMatchObject(REFUSED)
      const { challengeId } = await beginLogin(deps, SITE)
      const forged = { ...stranger.get(challengeId), id: phone.credentialId, rawId: phone.credentialId }
      await expect(proveByPasskey(deps, SITE, { challengeId, response: forged })).rejects.toMatchObject(REFUSED)
    })

    it('answer each challenge once and within five minutes', async () => {
      await register()
      const { challengeId } = await beginLogin(deps, SITE)
      const response = phone.get(challengeId)
      const tries = Array.from({ length: 10 }, () => proveByPasskey(deps, SITE, { challengeId, response }))
      const settled = await Promise.allSettled(tries)
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const late = await beginLogin(deps, SITE)
      world.clock.advance(5 * 60_000)
      const answer = { challengeId: late.challengeId, response: phone.get(late.challengeId) }
      await expect(proveByPasskey(deps, SITE, answer)).rejects.toMatchObject(REFUSED)
    })

    it('are made and taken by whichever node answers', async () => {
      const { database, clock } = world
      const other = { ...deps, challenges: createChallenges({ db: database.db, clock }) }
      const { challenge } = await begin()
      const made = { site: SITE, name: 'Phone', response: phone.create(challenge) }
      await finishRegistration(other, mei, made)
      const { challengeId } = await beginLogin(other, SITE)
      const response = phone.get(challengeId)
      expect(await proveByPasskey(deps, SITE, { challengeId, response })).toBe(mei.id)
      await expect(proveByPasskey(other, SITE, { challengeId, response })).rejects.toMatchObject(REFUSED)
    })

    it('take no challenge that was given to somebody else or for something else', async () => {
      const { challenge } = await begin(tom)
      const made = phone.create(challenge)
      await expect(finishRegistration(deps, mei, { site: SITE, name: 'x', response: made })).rejects.toMatchObject(
        REFUSED,
      )
      const { challengeId } = await beginLogin(deps, SITE)
      const crossed = phone.create(challengeId)
      await expect(finishRegistration(deps, mei, { site: SITE, name: 'x', response: crossed })).rejects.toMatchObject(
        REFUSED,
      )
      await register()
      const registration = await begin()
      const answer = { challengeId: registration.challenge, response: phone.get(registration.challenge) }
      await expect(proveByPasskey(deps, SITE, answer)).rejects.toMatchObject(REFUSED)
    })

    it('open no other site, even where the same database answers', async () => {
      await register()
      const other = { origin: 'https://other.example.org', id: 'other.example.org' }
      const { challengeId } = await beginLogin(deps, other)
      const response = phone.get(challengeId, { origin: other.origin, site: other.id })
      await expect(proveByPasskey(deps, other, { challengeId, response })).rejects.toMatchObject(REFUSED)
    })

    it('belong to one account, are ten at most, and end when they are removed', async () => {
      await register()
      world.clock.advance(1)
      const { challenge } = await begin(tom)
      const again = { site: SITE, name: 'mine', response: phone.create(challenge) }
      await expect(finishRegistration(deps, tom, again)).rejects.toMatchObject(REFUSED)
      for (let made = 1; made < 10; made++) await register(softAuthenticator(ORIGIN))
      await expect(begin()).rejects.toMatchObject({ code: 'PASSKEY_LIMIT' })
      const [first] = await listPasskeys(deps, mei.id)
      await expect(removePasskey(deps, tom.id, first?.id ?? '')).rejects.toMatchObject({ code: 'PASSKEY_NOT_FOUND' })
      await removePasskey(deps, mei.id, first?.id ?? '')
      await expect(signIn()).rejects.toMatchObject(REFUSED)
    })

    it('take another name from their owner alone', async () => {
      await register()
      const id = (await listPasskeys(deps, mei.id))[0]?.id ?? ''
      await renamePasskey(deps, mei.id, { id, name: 'Old phone' })
      await renamePasskey(deps, mei.id, { id, name: 'Old phone' })
      const theirs = renamePasskey(deps, tom.id, { id, name: 'Mine now' })
      await expect(theirs).rejects.toMatchObject({ code: 'PASSKEY_NOT_FOUND' })
      expect((await listPasskeys(deps, mei.id)).map(({ name }) => name)).toEqual(['Old phone'])
    })

    it('refuse whatever else is handed over', async () => {
      await register()
      const { challengeId } = await beginLogin(deps, SITE)
      for (const response of [{}, { id: 1 }, { id: phone.credentialId }, { id: phone.credentialId, response: null }]) {
        await expect(proveByPasskey(deps, SITE, { challengeId, response })).rejects.toMatchObject(REFUSED)
        await expect(finishRegistration(deps, mei, { site: SITE, name: 'x', response })).rejects.toMatchObject(REFUSED)
      }
    })
  })
}
