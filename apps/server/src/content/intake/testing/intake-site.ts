import fs from 'node:fs'
import path from 'node:path'
import { MiB, secureRandom } from '@godwit/base'
import type { ByteSource } from '@godwit/storage'
import { createSessions } from '../../../identity/auth/index.ts'
import { accountOf, loadUser } from '../../../identity/principals/index.ts'
import { createUser, type UserRow, type UsersDeps } from '../../../identity/users/index.ts'
import { createSettings } from '../../../foundation/settings/index.ts'
import type { Storages } from '../../../foundation/storages/index.ts'
import type { UserCtx } from '../../../kernel/context.ts'
import { createOutbox } from '../../../kernel/events/index.ts'
import { callerCtx, newLocks, openWorldStorages, type World } from '../../../testing/worlds.ts'
import { createFiles } from '../../files/index.ts'
import { createQuotas } from '../../quotas/index.ts'
import { completeUpload } from '../intake.completion.ts'
import { createUpload, type WantedUpload } from '../intake.creation.ts'
import type { IntakeDeps, UploadLimits } from '../intake.deps.ts'
import { writePart } from '../intake.parts.ts'
import { createIntake, openIntakeDeps, type Intake } from '../intake.service.ts'
import type { LiveUpload } from '../live-uploads.ts'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }
export const HOUR = 3_600_000

/** Bytes that look random and are the same each time. */
export function bytes(size: number, seed = 1): Buffer {
  const content = Buffer.alloc(size)
  for (let at = 0, state = seed; at + 4 <= size; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    content.writeUInt32LE(state, at)
  }
  return content
}

export async function* sourceOf(content: Uint8Array, chunk = 65_536): AsyncGenerator<Uint8Array, void, void> {
  for (let at = 0; at < content.length; at += chunk) yield content.subarray(at, at + chunk)
}

/** An intake over a real database and a real disk, with an account for each test. */
export class IntakeSite implements AsyncDisposable {
  readonly world: World
  readonly users: UsersDeps
  readonly #storages: Storages
  deps: IntakeDeps
  intake: Intake
  #alice: UserRow | undefined
  #ctx: UserCtx | undefined
  #before = new Set<string>()
  #accounts = 0

  private constructor(world: World, storages: Storages) {
    const { clock, bus, ids, database } = world
    this.world = world
    this.users = { db: database.db, clock, random: secureRandom, ids, bus, passwordPreset: 'standard' }
    this.#storages = storages
    this.deps = this.openDeps()
    this.intake = createIntake(this.deps)
  }

  static async open(world: World): Promise<IntakeSite> {
    const storages = await openWorldStorages(world)
    return new IntakeSite(world, storages)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.intake.stop()
    await this.#storages.close()
    await this.world[Symbol.asyncDispose]()
  }

  /** A new account, whose names and bytes are its own. */
  async nextAccount(): Promise<void> {
    this.restart()
    const account = `alice${++this.#accounts}`
    this.#alice = await createUser(this.users, { account, email: '', password: 'Sunrise-42x' })
    this.#ctx = { ...callerCtx(), principal: await loadUser(this.world.database.db, this.#alice, '') }
    this.#before = new Set(this.#hiddenNow())
  }

  /** From now on the account may not go to these paths. */
  forbid(forbiddenPaths: readonly string[]): void {
    const { principal } = this.ctx
    const account = { ...accountOf(principal), fileRules: JSON.stringify({ forbiddenPaths }) }
    this.#ctx = { ...this.ctx, principal: { ...principal, account } }
  }

  /** As a process that knows nothing but what the database and the disk hold. */
  restart(change: Partial<UploadLimits> = {}): void {
    this.intake.stop()
    this.deps = this.openDeps(change)
    this.intake = createIntake(this.deps)
  }

  /** What the death of all other nodes looks like after a while. */
  async expireLeases(): Promise<void> {
    const { db } = this.world.database
    await db.updateTable('intake_leases').set({ owner: 'dead', expires_at: 1 }).execute()
  }

  openDeps(change: Partial<UploadLimits> = {}): IntakeDeps {
    const { clock, bus, ids, database } = this.world
    const { db } = database
    const settings = createSettings({ db, clock, log: SILENT })
    return openIntakeDeps({
      state: { pausedAt: () => undefined, requireOpen: () => undefined },
      requireWeb: () => Promise.resolve(),
      speeds: {
        requireOpen: () => undefined,
        paceOf: () => () => undefined,
        limitOf: () => Infinity,
        sharerOf: () => ({ key: '', weight: 1 }),
      },
      ...{ database, db, clock, random: secureRandom, ids, bus, log: SILENT },
      outbox: createOutbox({ db, clock, log: SILENT }),
      files: createFiles({ storages: this.#storages, db, bus, clock, locks: newLocks(clock), log: SILENT, settings }),
      quotas: createQuotas({ db, dialect: database.dialect, defaultBytes: 0 }),
      sessions: createSessions({ db, clock, random: secureRandom, ids, bus, idleMs: HOUR }),
      limits: { maxBytes: 0, partBytes: MiB, grantMs: 24 * HOUR, ...change },
    })
  }

  get alice(): UserRow {
    if (this.#alice === undefined) throw new Error('no account yet')
    return this.#alice
  }

  get ctx(): UserCtx {
    if (this.#ctx === undefined) throw new Error('no account yet')
    return this.#ctx
  }

  wanted(change: Partial<WantedUpload> = {}): WantedUpload {
    return {
      ...{ spaceId: 1, groupId: 0, folder: '/', filename: 'a.bin', conflict: 'fail', resume: true, carrier: 'parts' },
      size: 0,
      ...change,
    }
  }

  create(change: Partial<WantedUpload> = {}) {
    return createUpload(this.deps, this.ctx, this.wanted(change))
  }

  put(live: LiveUpload, offset: number, content: Uint8Array, more: { partHash?: string; source?: ByteSource } = {}) {
    const { partHash, source = sourceOf(content) } = more
    return writePart(this.deps, live, { offset, length: content.length, partHash, source, signal: this.ctx.signal })
  }

  async putAll(live: LiveUpload, content: Uint8Array): Promise<void> {
    const partSize = live.row.part_size
    const starts = Array.from({ length: Math.ceil(content.length / partSize) }, (_, index) => index * partSize)
    await Promise.all(starts.map((start) => this.put(live, start, content.subarray(start, start + partSize))))
  }

  async upload(content: Uint8Array, change: Partial<WantedUpload> = {}) {
    const { live } = await this.create({ size: content.length, ...change })
    if (live.state === 'open') await this.putAll(live, content)
    return completeUpload(this.deps, live, {})
  }

  onDisk(name: string): string {
    return path.join(this.world.folder, 'files', this.alice.home, name)
  }

  read(name: string): Buffer {
    return fs.readFileSync(this.onDisk(name))
  }

  /** Hidden files that were made for this account. */
  hidden(): string[] {
    return this.#hiddenNow().filter((name) => !this.#before.has(name))
  }

  async usedBytes(): Promise<number> {
    return (await this.deps.quotas.usageOf(this.alice.id)).usedBytes
  }

  #hiddenNow(): string[] {
    const folder = path.join(this.world.folder, 'files/.godwit/parts')
    return fs.existsSync(folder) ? fs.readdirSync(folder) : []
  }
}
