import fs from 'node:fs'
import path from 'node:path'
import { secureRandom } from '@godwit/base'
import { LIMITS, searchInput, type SearchReply } from '@godwit/contract'
import { StorageError, type ObjectStore } from '@godwit/storage'
import type { z } from 'zod'
import type { Storages } from '../../../foundation/storages/index.ts'
import { openVault } from '../../../kernel/crypto/index.ts'
import { inTransaction } from '../../../kernel/db/index.ts'
import type { AnyDurableEvent } from '../../../kernel/events/index.ts'
import type { World } from '../../../testing/worlds.ts'
import { makeFolder, rename } from '../../files/files.service.ts'
import type { Rules } from '../../access/rules.ts'
import { JobSite } from '../../recycle/testing/job-site.ts'
import type { Contents } from '../contents.ts'
import type { EntryWatch } from '../entry-watch.ts'
import { FolderPaths } from '../find-entries.ts'
import { foldersStore } from '../folders.store.ts'
import { workOnIndex, type ScanDeps } from '../scan.ts'
import { rootKeyOf } from '../search.feature.ts'
import { search, type SearchDeps } from '../search.service.ts'
import { ROOT } from '../search.schema.ts'
import { indexEvents, isIndexed, rootPlaceOf } from '../search.subscribers.ts'
import { createAccess } from '../../access/index.ts'
import { groupHome } from '../../groups/index.ts'
import { groupPlaces } from '../../groups/group-place.ts'
import { groupsStore } from '../../../identity/groups/index.ts'

/** Of a site that searches names alone. */
const NO_CONTENTS: Contents = {
  isOn: () => Promise.resolve(false),
  startOf: () => Promise.resolve(0),
  async *look() {},
  unread: () => Promise.resolve(undefined),
}

/** A server's files with their index, over a real database and a real disk. Events are delivered when a test says so. */
export class SearchSite implements AsyncDisposable {
  readonly jobs: JobSite
  /** What narrows the account in every place. */
  rules: readonly Rules[] = []
  /** The storages answer nothing that a search asks. */
  isSilent = false
  contents: Contents = NO_CONTENTS
  watch: EntryWatch | undefined

  private constructor(jobs: JobSite) {
    this.jobs = jobs
  }

  static async open(world: World): Promise<SearchSite> {
    return new SearchSite(await JobSite.open(world))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.jobs[Symbol.asyncDispose]()
  }

  async nextAccount(): Promise<void> {
    Object.assign(this, { rules: [], isSilent: false })
    await this.jobs.nextAccount()
  }

  get #db() {
    return this.jobs.intake.world.database.db
  }

  search(input: z.input<typeof searchInput>): Promise<SearchReply> {
    const { world, deps, ctx } = this.jobs.intake
    const storages = this.isSilent ? silent(deps.files.storages) : deps.files.storages
    const access = createAccess({ storages, rulesOf: () => this.rules })
    access.place('group', groupPlaces({ db: this.#db, storages }))
    const vault = openVault(world.folder, secureRandom)
    const searching: SearchDeps = { db: this.#db, access, clock: world.clock, vault, contents: this.contents }
    return search(searching, ctx, searchInput.parse(input))
  }

  /** A group of the first space with the account as a member. @returns its id, and the folder of its library */
  async addGroup(name: string): Promise<{ readonly groupId: number; readonly folder: string }> {
    const row = { space_id: 1, name, name_key: name.toLowerCase(), quota_bytes: 0, created_at: 0 }
    const groupId = await groupsStore.insert(this.#db, row)
    await this.join(groupId, 8191)
    return { groupId, folder: path.join(this.jobs.intake.world.folder, 'files', groupHome({ spaceId: 1, groupId })) }
  }

  /** @param permission bits of the account in the group */
  async join(group_id: number, permission: number): Promise<void> {
    const member = { group_id, user_id: this.jobs.intake.alice.id, permission, is_admin: 0 }
    await inTransaction(this.#db, (tx) => groupsStore.addMember(tx, member))
  }

  /** Writes a file past the server. @param modified Unix seconds */
  onDisk(name: string, content: string, modified?: number): void {
    const file = this.pathOf(name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, content)
    if (modified !== undefined) fs.utimesSync(file, modified, modified)
  }

  pathOf(name: string): string {
    return this.jobs.intake.onDisk(name)
  }

  makeFolder(input: { readonly folder: string; readonly name: string }): Promise<unknown> {
    const { deps, ctx } = this.jobs.intake
    return makeFolder(deps.files, ctx, { spaceId: 1, groupId: 0, ...input })
  }

  rename(folder: string, oldName: string, newName: string): Promise<unknown> {
    const { deps, ctx } = this.jobs.intake
    return rename(deps.files, ctx, { spaceId: 1, groupId: 0, path: folder, oldName, newName })
  }

  /** Hands the index what was committed. @param batch events of one transaction */
  async deliver(batch = 200): Promise<void> {
    for (;;) {
      const rows = await this.#db.selectFrom('outbox').selectAll().orderBy('seq').limit(batch).execute()
      if (rows.length === 0) return
      const events = rows.map(({ type, payload }) => {
        const parsed: unknown = JSON.parse(payload)
        return { type, payload: parsed } as AnyDurableEvent
      })
      const seqs = rows.map(({ seq }) => seq)
      await inTransaction(this.#db, async (tx) => {
        await tx.deleteFrom('outbox').where('seq', 'in', seqs).execute()
        await indexEvents(events.filter(isIndexed), tx, this.watch)
      })
    }
  }

  /** Brings the index up to date. */
  async settle(): Promise<void> {
    await this.deliver()
    await this.scan()
  }

  async scan(): Promise<void> {
    const { deps, world } = this.jobs.intake
    // The account's place is known from its first use on.
    await this.search({ text: 'x' })
    // And so is each of its groups.
    await this.search({ text: 'x', scope: 'everywhere' })
    const log = {
      warn: (fields: object) => {
        throw new Error('the scan failed', { cause: fields })
      },
    }
    const scan: ScanDeps = {
      ...{ db: this.#db, clock: world.clock, log, storages: deps.files.storages },
      rootKeyOf: (place) => rootKeyOf(this.#db, place),
      ...(this.watch === undefined ? {} : { watch: this.watch }),
    }
    await workOnIndex(scan, new AbortController().signal)
  }

  /** As if no scan had ever ended. */
  async forgetScan(): Promise<void> {
    await this.#db.updateTable('search_roots').set({ scanned_at: null }).execute()
  }

  async nextRound(): Promise<void> {
    await foldersStore.beginRounds(this.#db, Number.MAX_SAFE_INTEGER)
  }

  /** Everything that the index has of the account, whether it is there or not: `path kind size`. */
  async indexed(): Promise<string[]> {
    const root = await foldersStore.rootOf(
      this.#db,
      rootPlaceOf({ userId: this.jobs.intake.alice.id, spaceId: 1, groupId: LIMITS.defaultGroupId }),
    )
    const rootId = root?.id ?? -1
    const rows = await this.#db.selectFrom('search_entries').selectAll().where('root_id', '=', rootId).execute()
    const paths = new FolderPaths(this.#db, rootId)
    await paths.load(rows.map((row) => Number(row.parent_n)))
    const lines = rows.flatMap(({ parent_n: parent, name, is_folder, size }) => {
      const way = paths.wayTo(Number(parent), ROOT)
      return way ? `/${[...way.names, name].join('/')} ${is_folder === 1 ? 'Folder' : 'File'} ${size}` : []
    })
    return lines.toSorted()
  }

  /** The same, from the disk. */
  walked(): string[] {
    const top = this.pathOf('')
    const entries = fs.readdirSync(top, { recursive: true, withFileTypes: true })
    const lines = entries.map((entry) => {
      const full = path.join(entry.parentPath, entry.name)
      const shown = `/${path.relative(top, full)}`.normalize('NFC')
      return entry.isDirectory() ? `${shown} Folder 0` : `${shown} File ${fs.statSync(full).size}`
    })
    return lines.toSorted()
  }
}

function silent(storages: Storages): Storages {
  const stat = () => Promise.reject(new StorageError('unreachable'))
  return {
    ...storages,
    ofPlace: async (place) => Object.create(await storages.ofPlace(place), { stat: { value: stat } }) as ObjectStore,
  }
}
