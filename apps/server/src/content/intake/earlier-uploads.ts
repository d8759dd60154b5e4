import { LEAF_BYTES, leafCount } from '@godwit/base'
import type { StoredFile, TargetFile } from '@godwit/transfer/endpoints'
import type { UserCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Location, PlaceIds } from '../access/index.ts'
import { originOf } from '../file-events/index.ts'
import type { Carrier } from './intake.creation.ts'
import type { IntakeDeps } from './intake.deps.ts'
import { boundTo, targetOf, type Bound } from './intake.grants.ts'
import type { UploadRow } from './intake.schema.ts'
import { uploadsStore } from './intake.store.ts'
import type { LiveUpload } from './live-uploads.ts'

/** Browsers and clients, which begin the same file with the same path, size and time. */
const SENDERS: ReadonlySet<string> = new Set<Carrier>(['parts', 'transfer'])

/** Each is looked up when a task begins. */
const MOST_OF_OTHERS = 1_000

export interface TaskPlace {
  readonly place: PlaceIds
  /** The folder from which the paths of the task count. */
  readonly root: Location
  /** What the uploads of the task carry as metadata. */
  readonly task: string
}

/** A version of a file, by its path from the root of the task. */
export type Version = Pick<TargetFile, 'path' | 'size' | 'mtimeMs'>

/**
 * Unfinished uploads that a task goes on with: its own of earlier runs, and what browsers and other clients of the account left. The
 * same file (path, size and time) goes on at its bytes; if it is another one after all, the hash of the whole says so before it shows.
 */
export class EarlierUploads {
  readonly #deps: IntakeDeps
  readonly #ctx: UserCtx
  readonly #at: TaskPlace
  #bound: Promise<Bound> | undefined
  readonly #byVersion = new Map<string, { readonly path: string; readonly live: LiveUpload }>()

  constructor(deps: IntakeDeps, ctx: UserCtx, at: TaskPlace) {
    this.#deps = deps
    this.#ctx = ctx
    this.#at = at
  }

  /** Those of the task itself, completed or not. */
  async ownRows(): Promise<UploadRow[]> {
    const rows = await uploadsStore.ofTransfer(this.#deps.db, this.#ctx.principal.id, this.#at.task)
    return rows.filter((row) => this.#isHere(row))
  }

  #isHere(row: UploadRow): boolean {
    const { place, root } = this.#at
    const above = root.path === '/' ? '/' : `${root.path}/`
    return row.space_id === place.spaceId && Math.max(row.group_id, 0) === place.groupId && row.path.startsWith(above)
  }

  pathOf({ path }: UploadRow): string {
    const { root } = this.#at
    return path.slice(root.path === '/' ? 1 : root.path.length + 1)
  }

  /** What is stored of an unfinished upload, which the task may go on with from now on. @throws AppError where it may not be written any more */
  async open(row: UploadRow): Promise<StoredFile> {
    const file = { path: this.pathOf(row), size: Number(row.size), mtimeMs: Number(row.last_modified) }
    const live = await this.#deps.live.get(row.id)
    if (live === undefined) return { ...file, isCommitted: false, leaves: [] }
    await this.#deps.live.refreshSpans(live)
    live.target = await targetOf(this.#deps, live, this.#ctx.principal)
    this.#byVersion.set(versionOf(file), { path: file.path, live })
    const leaves = storedLeaves(live, file.size)
    // The last one comes again, and with it the end of the file.
    const resent = leaves.length === leafCount(file.size) ? leaves.slice(0, -1) : leaves
    return { ...file, isCommitted: false, leaves: resent }
  }

  /**
   * What browsers and other tasks of the account left below the folder: of each path the latest, unless the task itself has one.
   * What may not be written any more, or is being sent right now, is left alone.
   */
  async ofOthers(ownPaths: ReadonlySet<string>): Promise<StoredFile[]> {
    const paths = new Set(ownPaths)
    const files: StoredFile[] = []
    for (const row of (await this.#othersRows()).slice(0, MOST_OF_OTHERS)) {
      const path = this.pathOf(row)
      if (paths.has(path)) continue
      const file = await this.#openIfWritable(row)
      if (file === undefined) continue
      paths.add(path)
      files.push(file)
    }
    return files
  }

  /** The latest first. */
  async #othersRows(): Promise<UploadRow[]> {
    const rows = await uploadsStore.openOf(this.#deps.db, this.#ctx.principal.id)
    const now = this.#deps.clock.now()
    return rows.filter((row) => SENDERS.has(row.carrier) && row.expires_at > now && this.#isHere(row))
  }

  async #openIfWritable(row: UploadRow): Promise<StoredFile | undefined> {
    const file = await this.open(row).catch((thrown: unknown) => {
      if (thrown instanceof AppError && thrown.status < 500) return undefined
      throw thrown
    })
    if (file === undefined) return undefined
    // Two that send the same file at once would take it from each other.
    if (file.leaves.length > 0 && this.#byVersion.get(versionOf(file))?.live.isWritten !== true) return file
    this.forget(file)
    return undefined
  }

  /**
   * The upload of this version, which is the task's own from now on, so that a later run finds what is there. It is bound to the account
   * as it is now: with the stamp of an older password it would be stopped as one that another process has locked out.
   * @throws AppError UPLOAD_BUSY when it ended meanwhile
   */
  async take(version: Version): Promise<LiveUpload | undefined> {
    const live = this.#byVersion.get(versionOf(version))?.live
    if (live === undefined) return undefined
    const change = await this.#changeOf(live.row)
    if (change === undefined) return live
    if (!(await uploadsStore.change(this.#deps.db, live.id, { states: ['open'] }, change)))
      throw new AppError('UPLOAD_BUSY')
    live.row = { ...live.row, ...change }
    return live
  }

  /** @returns undefined for one that is the task's already, in this session and with this password */
  async #changeOf(row: UploadRow) {
    const { task } = this.#at
    const bound = await (this.#bound ??= boundTo(this.#deps, this.#ctx.principal))
    const isPassword = row.grant_stamp === bound.grant_stamp
    const isOwn = row.carrier === 'transfer' && row.metadata === task
    const isToken = row.api_token_id === bound.api_token_id
    if (isOwn && isPassword && isToken && row.session_id === bound.session_id) return undefined
    // A new stamp must not bring back the grant of an older password, nor give the grant of an API token the rights of another.
    const grant = isPassword && (isToken || row.api_token_id === '') ? {} : { grant_hash: null }
    const origin = JSON.stringify(originOf(this.#ctx))
    return { carrier: 'transfer', metadata: task, origin, ...bound, ...grant } as const
  }

  /** Uploads of other versions of the file. */
  otherVersions(version: Version): LiveUpload[] {
    const key = versionOf(version)
    return [...this.#byVersion]
      .filter(([other, { path }]) => other !== key && path === version.path)
      .map(([, { live }]) => live)
  }

  forget(version: Version): void {
    this.#byVersion.delete(versionOf(version))
  }
}

/** One version of a file, as a key. */
export function versionOf({ path, size, mtimeMs }: Version): string {
  return `${size}/${mtimeMs}/${path}`
}

/** Leaves of an upload that are durable from their first byte to their last, ascending. */
function storedLeaves({ durable }: LiveUpload, size: number): readonly number[] {
  const isStored = (leaf: number): boolean => {
    const start = leaf * LEAF_BYTES
    return durable.missing(start, Math.min(start + LEAF_BYTES, size)).length === 0
  }
  return Array.from({ length: leafCount(size) }, (_value, leaf) => leaf).filter(isStored)
}
