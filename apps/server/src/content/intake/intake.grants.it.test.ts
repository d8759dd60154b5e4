import { MiB } from '@godwit/base'
import { FULL_PERMISSION, wirePermission } from '@godwit/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createBus } from '../../kernel/events/index.ts'
import { createApiToken, grantOfToken, principalOfToken, removeApiToken } from '../../identity/api-tokens/index.ts'
import { loadAccount, loadUser } from '../../identity/principals/index.ts'
import { createUser, setLocked, setPassword } from '../../identity/users/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import { callerCtx, DATABASES } from '../../testing/worlds.ts'
import { completeUpload } from './intake.completion.ts'
import { createUpload } from './intake.creation.ts'
import { openedUpload } from './intake.grants.ts'
import { checkRunning } from './intake.jobs.ts'
import { uploadsStore } from './intake.store.ts'
import { bytes, IntakeSite } from './testing/intake-site.ts'

for (const { dialect, open } of DATABASES) {
  describe(`the intake on ${dialect}`, () => {
    let site: IntakeSite

    beforeAll(async () => {
      site = await IntakeSite.open(await open())
    })
    beforeEach(async () => site.nextAccount())
    afterAll(async () => site[Symbol.asyncDispose]())

    it('opens an upload to its grant and its owner alone', async () => {
      const { live, grant } = await site.create({ size: MiB })
      const bob = await createUser(site.users, {
        account: site.alice.account.replace('alice', 'bob'),
        email: '',
        password: 'Sunrise-42x',
      })
      const as = (change: Partial<Ctx>) => openedUpload(site.deps, callerCtx(change), live.id)
      expect((await as({ bearer: grant })).live).toBe(live)
      expect((await as({ bearer: 's', principal: site.ctx.principal })).live).toBe(live)
      await expect(as({})).rejects.toMatchObject({ code: 'TOKEN_INVALID' })
      await expect(as({ bearer: 'guess' })).rejects.toMatchObject({ code: 'TOKEN_INVALID' })
      await expect(
        as({ bearer: 's', principal: await loadUser(site.world.database.db, bob, '') }),
      ).rejects.toMatchObject({
        code: 'UPLOAD_NOT_FOUND',
      })
      for (const id of ['../../etc/passwd', '%2e%2e', 'x'.repeat(32), '', '0'.repeat(32)]) {
        const tried = openedUpload(site.deps, callerCtx({ bearer: 's', principal: site.ctx.principal }), id)
        await expect(tried).rejects.toMatchObject({ code: 'UPLOAD_NOT_FOUND' })
      }
      const row = await uploadsStore.byId(site.world.database.db, live.id)
      expect(JSON.stringify(row)).not.toContain(grant)
    })

    it('stops running parts and takes back grants when the account is locked', async () => {
      const { live, grant } = await site.create({ size: MiB })
      const { promise: never } = Promise.withResolvers<void>()
      async function* stalled(): AsyncGenerator<Uint8Array, void, void> {
        yield bytes(1000)
        await never
      }
      const running = site.put(live, 0, bytes(MiB), { source: stalled() })
      await setLocked(site.users, site.alice, true)
      await expect(running).rejects.toMatchObject({ code: 'TOKEN_INVALID' })
      await expect(openedUpload(site.deps, callerCtx({ bearer: grant }), live.id)).rejects.toMatchObject({
        code: 'TOKEN_INVALID',
      })
    })

    it('stops running parts of an API token that was revoked, and leaves the upload to its account', async () => {
      const { db } = site.world.database
      const wanted = { name: 'backup', permission: wirePermission(FULL_PERMISSION), days: 1 }
      const { apiToken } = await createApiToken(site.users, site.alice, wanted)
      const granted = await grantOfToken(site.users, { id: apiToken.id })
      if (granted === undefined) throw new Error('a new token counts')
      const principal = principalOfToken(await loadAccount(db, site.alice), granted.row)
      const { live, grant } = await createUpload(site.deps, { ...site.ctx, principal }, site.wanted({ size: MiB }))
      const byGrant = () => openedUpload(site.deps, callerCtx({ bearer: grant }), live.id)
      expect((await byGrant()).principal).toMatchObject({ kind: 'api-token', apiTokenId: apiToken.id })
      const { promise: never } = Promise.withResolvers<void>()
      async function* stalled(): AsyncGenerator<Uint8Array, void, void> {
        yield bytes(1000)
        await never
      }
      const running = site.put(live, 0, bytes(MiB), { source: stalled() })
      await expect.poll(() => live.isWritten).toBe(true)
      await checkRunning(site.deps)
      expect(live.isWritten).toBe(true)
      await removeApiToken(site.users, site.alice.id, apiToken.id)
      await checkRunning(site.deps)
      await expect(running).rejects.toMatchObject({ code: 'TOKEN_INVALID' })
      await expect(byGrant()).rejects.toMatchObject({ code: 'TOKEN_INVALID' })
      await site.putAll(live, bytes(MiB))
      expect(await completeUpload(site.deps, live, {})).toMatchObject({ state: 'completed' })
    })

    it('takes back grants with a new password, also one that another process set', async () => {
      const { live, grant } = await site.create({ size: MiB })
      const elsewhere = { ...site.users, bus: createBus(() => undefined) }
      await setPassword(elsewhere, site.alice, 'Moonrise-43y')
      await expect(openedUpload(site.deps, callerCtx({ bearer: grant }), live.id)).rejects.toMatchObject({
        code: 'TOKEN_INVALID',
      })
    })
  })
}
