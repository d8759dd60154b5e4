import fs from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { secureRandom } from '@godwit/base'
import { HOOK_EVENTS, HOOK_LIMITS } from '@godwit/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPrograms } from '../../foundation/programs/index.ts'
import { openVault } from '../../kernel/crypto/index.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { createOutbox, type AnyDurableEvent, type Outbox } from '../../kernel/events/index.ts'
import { createOutbound } from '../../kernel/outbound/index.ts'
import { subscribeAll } from '../../kernel/run-features.ts'
import { fileEvent } from '../../testing/file-events.ts'
import { DATABASES, type World } from '../../testing/worlds.ts'
import { createHookSender, type HookSender, type SenderDeps } from './hook-sender.ts'
import { signatureOf } from './hooks.policy.ts'
import {
  addHook,
  editHook,
  listDeliveries,
  listHooks,
  purgeDeliveries,
  recordDeliveries,
  removeHook,
  renewSecret,
  replayDeliveries,
  tryHook,
  type HooksDeps,
} from './hooks.service.ts'
import { deliveriesStore } from './hooks.store.ts'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }
const HOUR_MS = 3_600_000
const noRecord = () => Promise.resolve()

interface Call {
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

/** A real server that keeps what it is sent and answers as it is told. */
async function openReceiver(answer: (res: http.ServerResponse) => void = (res) => void res.end('thanks')) {
  const calls: Call[] = []
  const state = { answer }
  const server = http.createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      calls.push({ headers: req.headers, body: Buffer.concat(chunks).toString('utf8') })
      state.answer(res)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    calls,
    state,
    url: `http://127.0.0.1:${port}/in?from=godwit`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

for (const { dialect, open } of DATABASES) {
  describe(`webhooks on ${dialect}`, () => {
    let world: World
    let deps: HooksDeps
    let senderDeps: SenderDeps
    let sender: HookSender
    let outbox: Outbox
    let receivers: Array<Awaited<ReturnType<typeof openReceiver>>>
    const givenUp: string[] = []

    beforeEach(async () => {
      world = await open()
      const { database, clock, ids, folder, locks } = world
      const vault = openVault(folder, secureRandom)
      const outbound = createOutbound(['127.0.0.1'])
      deps = { db: database.db, clock, ids, random: secureRandom, vault, outbound, programs: createPrograms('') }
      givenUp.length = 0
      senderDeps = {
        ...{ ...deps, locks, log: SILENT, callMs: 1_000 },
        onGivenUp: ({ name }) => Promise.resolve(void givenUp.push(name)),
      }
      sender = createHookSender(senderDeps)
      outbox = createOutbox({ db: database.db, clock, log: SILENT })
      const handleManyWithin = (events: readonly AnyDurableEvent[], tx: Parameters<typeof recordDeliveries>[2]) =>
        recordDeliveries(deps, events, tx)
      const subscription = { subscriber: 'hooks.record', handleManyWithin }
      subscribeAll(outbox, Object.fromEntries(HOOK_EVENTS.map((event) => [event, subscription])))
      await outbox.start()
      receivers = []
    })
    afterEach(async () => {
      await sender.stop()
      await outbox.stop()
      for (const receiver of receivers) await receiver.close()
      await world[Symbol.asyncDispose]()
    })

    const receiver = async (answer?: (res: http.ServerResponse) => void) => {
      const opened = await openReceiver(answer)
      receivers.push(opened)
      return opened
    }
    const wanted = (name: string, url: string) => ({
      ...{ name, url, events: ['file.committed' as const], state: 'activated' as const, remark: '' },
      ...{ kind: 'webhook' as const, program: '', commandLine: '', waitSeconds: 30 },
    })
    const add = (name: string, url: string) => addHook(deps, wanted(name, url), noRecord)
    const happen = async (path: string) => {
      await inTransaction(deps.db, (tx) => outbox.add(tx, 'file.committed', fileEvent(path)))
      outbox.nudge()
    }
    const logOf = async (hookId: string) => (await listDeliveries(deps.db, hookId, { page: 1, size: 50 })).rows
    /** Looks until the log of a hook fulfils what is expected. */
    const until = async (hookId: string, isThere: (rows: Awaited<ReturnType<typeof logOf>>) => boolean) => {
      await expect
        .poll(
          async () => {
            await sender.look()
            return isThere(await logOf(hookId))
          },
          { timeout: 30_000 },
        )
        .toBe(true)
    }
    const ended = (hookId: string, count = 1) =>
      until(hookId, (rows) => rows.filter(({ triedAt }) => triedAt !== null).length >= count)

    it('runs a program of the folder with what happened, and keeps how it ended', async () => {
      const programs = path.join(world.folder, 'programs')
      await fs.mkdir(programs, { mode: 0o755 })
      await fs.writeFile(path.join(programs, 'note'), '#!/bin/sh\necho "$1"; cat > /dev/null; exit 0\n', {
        mode: 0o755,
      })
      deps = { ...deps, programs: createPrograms(programs) }
      sender = createHookSender({ ...senderDeps, programs: deps.programs })
      const program = { ...wanted('note', ''), kind: 'program' as const, program: 'note', commandLine: '"{path}"' }
      const refused = (reason: string, change: object) =>
        expect(addHook(deps, { ...program, ...change }, noRecord)).rejects.toMatchObject({
          ...{ code: 'HOOK_PROGRAM_REFUSED', details: { reason } },
        })
      await refused('missing', { program: 'absent' })
      await refused('outside', { program: '../note' })
      await refused('arguments', { commandLine: '"{path}' })
      await refused('arguments', { commandLine: '{token}' })
      const { hookId, secret } = await addHook(deps, program, noRecord)
      expect(secret).toBe('')
      expect(await listHooks(deps)).toMatchObject({ programs: ['note'], rows: [{ kind: 'program', program: 'note' }] })
      expect(await tryHook(deps, hookId, new AbortController().signal)).toMatchObject({ isDelivered: true, status: 0 })
      await happen('/with space.mov')
      await ended(hookId)
      expect((await logOf(hookId))[0]).toMatchObject({ state: 'delivered', status: 0, answer: '/with space.mov' })
      const kind = { id: hookId, wanted: wanted('note', 'https://example.org/'), revision: 1 }
      await expect(editHook(deps, kind, noRecord)).rejects.toMatchObject({ code: 'PARAMETER_INVALID' })
    })

    it('records a burst of events for as many as there may be', async () => {
      for (let at = 0; at < HOOK_LIMITS.hooksMax; at++) await add(`hook ${at}`, 'http://127.0.0.1:9/')
      const events = Array.from({ length: 200 }, (_, at): AnyDurableEvent => ({
        ...{ type: 'file.committed', payload: fileEvent(`/${at}.mov`) },
      }))
      await inTransaction(deps.db, (tx) => recordDeliveries(deps, events, tx))
      const { rows } = await listHooks(deps)
      expect(rows.map(({ waiting }) => waiting)).toEqual(Array.from({ length: HOOK_LIMITS.hooksMax }, () => 200))
    })

    it('sends what happened, signed, once, to those who wait for it', async () => {
      const [inbox, other] = [await receiver(), await receiver()]
      const { hookId, secret } = await add('inbox', inbox.url)
      await addHook(deps, { ...wanted('other', other.url), events: ['link.used'] }, noRecord)
      await happen('/film.mov')
      await ended(hookId)
      expect(await logOf(hookId)).toMatchObject([
        { event: 'file.committed', state: 'delivered', attempts: 1, status: 200, reason: null, answer: 'thanks' },
      ])
      const [call] = inbox.calls
      expect(JSON.parse(call?.body ?? '')).toMatchObject({
        ...{ type: 'file.committed', version: 1 },
        data: { path: '/film.mov' },
      })
      const { headers, body } = call ?? { headers: {}, body: '' }
      const id = String(headers['webhook-id'])
      const timestamp = Number(headers['webhook-timestamp'])
      expect(headers['webhook-signature']).toBe(signatureOf(secret, { id, timestamp, body }))
      expect(timestamp).toBe(Math.floor(world.clock.now() / 1000))
      expect(inbox.calls).toHaveLength(1)
      expect(other.calls).toEqual([])
      const kept = await deps.db.selectFrom('hooks').selectAll().execute()
      expect(JSON.stringify(kept)).not.toContain(secret)
    })

    it('tries again under the same id until it is taken, also after a kill before the record', async () => {
      const inbox = await receiver((res) => void res.writeHead(503).end('later'))
      const { hookId } = await add('inbox', inbox.url)
      await happen('/a')
      await ended(hookId)
      expect(await logOf(hookId)).toMatchObject([{ state: 'waiting', attempts: 1, status: 503, reason: 'status' }])
      expect((await listHooks(deps)).rows[0]).toMatchObject({ waiting: 1, failingSince: world.clock.now() })
      inbox.state.answer = (res) => void res.end()
      world.clock.advance(6_000)
      await until(hookId, ([row]) => row?.state === 'delivered')
      expect((await listHooks(deps)).rows[0]).toMatchObject({ waiting: 0, failingSince: null })
      // As a process leaves it that died between the call and its record.
      const [row] = await logOf(hookId)
      await deliveriesStore.change(deps.db, row?.id ?? '', { state: 'waiting', next_at: 0 })
      await until(hookId, ([again]) => again?.state === 'delivered')
      expect(inbox.calls).toHaveLength(3)
      expect(new Set(inbox.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    })

    it('says why a call failed: slow, dead, redirecting; and lets no slow one delay another', async () => {
      const [slow, target, good] = [await receiver(() => undefined), await receiver(), await receiver()]
      const redirect = await receiver((res) => void res.writeHead(302, { location: target.url }).end())
      const liar = await receiver(
        (res) => void res.writeHead(200, { 'content-length': '999999999' }).write('x'.repeat(99_999)),
      )
      const dead = await receiver()
      await dead.close()
      receivers = receivers.filter((each) => each !== dead)
      const waiting = await add('slow', slow.url)
      const others = new Map<string, string>()
      for (const [name, { url }] of Object.entries({ dead, redirect, liar, good }))
        others.set(name, (await add(name, url)).hookId)
      await happen('/a')
      await ended(others.get('good') ?? '')
      for (const [name, outcome] of [
        ['good', { state: 'delivered' }],
        ['liar', { state: 'delivered', answer: 'x'.repeat(512) }],
        ['redirect', { state: 'waiting', status: 302, reason: 'status' }],
        ['dead', { state: 'waiting', status: null, reason: 'refused' }],
      ] as const) {
        await ended(others.get(name) ?? '')
        expect(await logOf(others.get(name) ?? '')).toMatchObject([outcome])
      }
      await ended(waiting.hookId)
      expect(await logOf(waiting.hookId)).toMatchObject([{ state: 'waiting', reason: 'timeout' }])
      expect(target.calls).toEqual([])
    })

    it('reaches nothing inside the house, by address or by name, also when that changes later', async () => {
      const inside = { ...deps, outbound: createOutbound([]) }
      for (const url of [
        ...['http://127.0.0.1:9/', 'http://[::1]/', 'http://169.254.169.254/latest', 'http://localhost/'],
        ...['http://2130706433/', 'http://[::ffff:127.0.0.1]/', 'https://a:b@192.0.2.1/', 'http://192.0.2.1/\r\nA: b'],
        'http://name.invalid/',
      ])
        await expect(addHook(inside, wanted('inside', url), noRecord)).rejects.toMatchObject({
          ...{ code: 'HOOK_ADDRESS_REFUSED', details: { field: 'url' } },
        })
      const inbox = await receiver()
      const { hookId } = await add('inbox', inbox.url)
      const later = createHookSender({ ...senderDeps, outbound: inside.outbound })
      await happen('/a')
      await expect
        .poll(
          async () => {
            await later.look()
            return (await logOf(hookId))[0]?.reason
          },
          { timeout: 30_000 },
        )
        .toBe('not-allowed')
      await later.stop()
      expect(inbox.calls).toEqual([])
      expect(await tryHook(inside, hookId, new AbortController().signal)).toMatchObject({ reason: 'not-allowed' })
    })

    it('gives a delivery up after a day and the hook after days, and sends again what is asked for', async () => {
      const inbox = await receiver((res) => void res.writeHead(500).end())
      const { hookId } = await add('inbox', inbox.url)
      await happen('/a')
      for (let tries = 1; tries <= 11; tries++) {
        await until(hookId, ([row]) => row?.attempts === tries)
        world.clock.advance(9 * HOUR_MS)
      }
      expect(await logOf(hookId)).toMatchObject([{ state: 'failed', attempts: 11, nextAt: null }])
      expect(givenUp).toEqual([])
      world.clock.advance(48 * HOUR_MS)
      await happen('/b')
      await expect
        .poll(
          async () => {
            await sender.look()
            return (await listHooks(deps)).rows[0]
          },
          { timeout: 30_000 },
        )
        .toMatchObject({ state: 'inactivated', isGivenUp: true, failed: 1 })
      expect(givenUp).toEqual(['inbox'])
      inbox.state.answer = (res) => void res.end()
      await editHook(deps, { id: hookId, wanted: wanted('inbox', inbox.url), revision: 1 }, noRecord)
      expect(await replayDeliveries(deps, { id: hookId, ids: undefined }, noRecord)).toBe(1)
      world.clock.advance(HOUR_MS)
      await until(hookId, (rows) => rows.length === 2 && rows.every(({ state }) => state === 'delivered'))
      expect((await listHooks(deps)).rows[0]).toMatchObject({ state: 'activated', isGivenUp: false, failed: 0 })
      world.clock.advance(31 * 24 * HOUR_MS)
      await purgeDeliveries(deps)
      expect(await logOf(hookId)).toEqual([])
    })

    it('is kept under a name of its own, with a secret that can be renewed', async () => {
      const inbox = await receiver()
      const { hookId, secret } = await add('Inbox', inbox.url)
      await expect(add('INBOX', inbox.url)).rejects.toMatchObject({ code: 'EVENT_NAME_DUPLICATE' })
      const change = { id: hookId, wanted: { ...wanted('Mail room', inbox.url), remark: 'R' } }
      await editHook(deps, { ...change, revision: 1 }, noRecord)
      await expect(editHook(deps, { ...change, revision: 1 }, noRecord)).rejects.toMatchObject({
        code: 'EDIT_CONFLICT',
      })
      const renewed = await renewSecret(deps, hookId, noRecord)
      expect(renewed).not.toBe(secret)
      const tested = await tryHook(deps, hookId, new AbortController().signal)
      expect(tested).toMatchObject({ isDelivered: true, status: 200, answer: 'thanks' })
      const { headers, body } = inbox.calls[0] ?? { headers: {}, body: '' }
      const call = { id: String(headers['webhook-id']), timestamp: Number(headers['webhook-timestamp']), body }
      expect(headers['webhook-signature']).toBe(signatureOf(renewed, call))
      await removeHook(deps, hookId, noRecord)
      await expect(logOf(hookId)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' })
      for (let at = 0; at < 50; at++) await add(`hook ${at}`, inbox.url)
      await expect(add('one more', inbox.url)).rejects.toMatchObject({ code: 'HOOK_LIMIT' })
    })
  })
}
