import type { ObjectStore } from '@godwit/storage'
import { AppError } from '../../kernel/errors.ts'
import { foldName } from './fold-name.ts'
import {
  hidesBelow,
  judge,
  mayHideBelow,
  ratesOf,
  restrictsTypes,
  visibility,
  type Decision,
  type Reason,
  type Role,
} from './grants.policy.ts'
import { flagOf, needSpec, type Need } from './needs.ts'
import { unreachable } from './names.ts'
import type { PlaceIds, Standing } from './places.ts'
import type { RateBucket } from './rules.ts'

interface Parts {
  readonly standing: Standing
  readonly need: Need
  readonly key: string
  readonly path: string
  readonly spelled?: readonly string[] | undefined
}

/** The same rights at another path of the place. Kept in this file: whoever derives one checks what is asked of it. */
let derive: (
  from: ResolvedLocation,
  to: { readonly key: string; readonly path: string; readonly need?: Need },
) => ResolvedLocation

/** The virtual directory of a name in a folder. */
let mountIn: (folder: ResolvedLocation, name: string) => ResolvedLocation | undefined

/**
 * A path that was resolved together with the rights to it. Only `access.open` makes one; everything else is derived from one
 * and asked for again. The class is not exported: a literal is no Location, because of its private part.
 */
class ResolvedLocation {
  static {
    derive = (from, { key, path, need = from.need }) =>
      new ResolvedLocation({ standing: from.#standing, need, key, path })
    mountIn = (from, name) => {
      const standing = from.isRoot ? from.#standing.mounts?.get(foldName(name)) : undefined
      if (standing === undefined) return undefined
      const { rootKey: key, alias = name } = standing
      return new ResolvedLocation({ standing, need: from.need, key, path: `/${alias}` })
    }
  }

  /** Canonical path inside the place: `/`, `/reports/a.pdf`. */
  readonly path: string
  /** Key inside the store: the place's root or below it. */
  readonly key: string
  /** What it was opened for. */
  readonly need: Need
  /** The names as they were sent, when that is not NFC: a disk may hold them in another form. */
  readonly spelled: readonly string[] | undefined
  readonly #standing: Standing
  #mayHideBelow: boolean | undefined

  constructor({ standing, need, key, path, spelled }: Parts) {
    this.#standing = standing
    this.need = need
    this.key = key
    this.path = path
    this.spelled = spelled
  }

  get store(): ObjectStore {
    return this.#standing.store
  }

  get rootKey(): string {
    return this.#standing.rootKey
  }

  /** Path of the place's root: '/', or that of a virtual directory in the home. */
  get rootPath(): string {
    const { alias } = this.#standing
    return alias === undefined ? '/' : `/${alias}`
  }

  /** Whether it stands for its place. */
  get isRoot(): boolean {
    return this.path === this.rootPath
  }

  /** Whether it is a virtual directory itself, which nobody renames, moves or deletes but an administrator. */
  get isMount(): boolean {
    return this.isRoot && this.path !== '/'
  }

  /** Names of the virtual directories in this folder, as far as they exist for the principal. */
  get mountNames(): readonly string[] {
    if (!this.isRoot) return []
    const aliases = [...(this.#standing.mounts?.values() ?? [])].map(({ alias = '' }) => alias)
    return aliases.filter((alias) => this.shows(alias, true))
  }

  /** Where its bytes belong. */
  get place(): PlaceIds {
    return this.#standing.ids
  }

  get quotaBuckets(): readonly string[] {
    return this.#standing.grants.quotaBuckets
  }

  /** Whether something below it may have to be left out. Entry by entry, shows() says what. */
  get mayHideBelow(): boolean {
    this.#mayHideBelow ??= mayHideBelow(this.#standing.grants, this.rulePath)
    return this.#mayHideBelow
  }

  /** Whether it is shown only as the way to something allowed below it; a file never is. */
  get isWayOnly(): boolean {
    return visibility(this.#standing.grants, this.rulePath) === 'way'
  }

  /** Whether files of some names may not come to be here. */
  get restrictsTypes(): boolean {
    return restrictsTypes(this.#standing.grants)
  }

  rates(direction: 'upload' | 'download'): readonly RateBucket[] {
    return ratesOf(this.#standing.grants, direction)
  }

  /** Whether something below it is hidden: certain by pattern, or only to be found out by looking. */
  hidesBelow(): 'yes' | 'no' | 'look' {
    return hidesBelow(this.#standing.grants, this.rulePath)
  }

  /** Whether an entry of this folder exists for the principal. Every list, count, size and archive asks it. */
  shows(name: string, isFolder: boolean): boolean {
    return unreachable(name) === undefined && !this.hides(name, isFolder)
  }

  /** Whether a path of the place exists for the principal. */
  showsPath(path: string, isFolder: boolean): boolean {
    const seen = visibility(this.#standing.grants, path)
    return seen === 'full' || (seen === 'way' && isFolder)
  }

  /** Whether a rule keeps an entry of this folder from the principal. */
  hides(name: string, isFolder: boolean): boolean {
    if (!this.mayHideBelow) return false
    const seen = visibility(this.#standing.grants, below(this.rulePath, name.normalize('NFC')))
    return seen === 'hidden' || (seen === 'way' && !isFolder)
  }

  /** @throws AppError PERMISSION_DENIED, PATH_NOT_FOUND */
  require(need: Need, role: Role = 'entry'): void {
    const decision = this.#decide(need, role)
    if (decision.answer !== 'allowed') throw refusal(decision, nameOf(this))
  }

  permits(need: Need): boolean {
    return this.#decide(need, 'entry').answer === 'allowed'
  }

  /** Why it is allowed or refused: for whoever administers, never for the person. */
  judge(need: Need, role: Role): LocationVerdict {
    const verdict = judge(this.#standing.grants, need, { path: this.rulePath, role })
    const isMountChange = this.isMount && role === 'entry' && needSpec(need).effect === 'changes'
    if (verdict.decision.answer !== 'allowed' || !isMountChange) return verdict
    return { decision: { answer: 'denied', permission: flagOf(need) }, why: () => ({ kind: 'mount-itself' }) }
  }

  #decide(need: Need, role: Role): Decision {
    return this.judge(need, role).decision
  }

  /** The path that rules and grants are written for: of something in the recycle bin, where it lay before. */
  get rulePath(): string {
    const { base = '/' } = this.#standing
    if (base === '/') return this.path
    return this.path === '/' ? base : base + this.path
  }
}

export type Location = ResolvedLocation

export interface LocationVerdict {
  readonly decision: Decision
  /** `mount-itself`: a virtual directory is renamed, moved or deleted by administrators alone. */
  readonly why: () => Reason | { readonly kind: 'mount-itself' }
}

/** For access.ts alone; not to be had from outside of this folder. */
export function makeLocation(parts: Parts): Location {
  return new ResolvedLocation(parts)
}

function refusal(decision: Exclude<Decision, { answer: 'allowed' }>, name: string): AppError {
  switch (decision.answer) {
    case 'hidden':
      return new AppError('PATH_NOT_FOUND', { name })
    case 'denied':
      return new AppError('PERMISSION_DENIED', { permission: decision.permission })
    case 'type-not-allowed':
      return new AppError('FILE_TYPE_NOT_ALLOWED', { name })
  }
}

function below(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`
}

/**
 * The existing entry `name` of a folder, under the need of the folder.
 * @throws AppError PATH_NOT_FOUND for an entry that is hidden
 */
export function within(folder: Location, name: string): Location {
  if (!folder.shows(name, true)) throw refusal({ answer: 'hidden' }, name)
  const mount = mountIn(folder, name)
  if (mount !== undefined) return mount
  return derive(folder, { key: `${folder.key}/${name}`, path: below(folder.path, name) })
}

/** What is made: a file whose name must be of an allowed type, or a folder. */
export type NewKind = 'file' | 'folder'

/**
 * A name that is to come to be in a folder, checked against the rules for new names.
 * @param need what the folder was opened for unless this says otherwise
 * @throws AppError PERMISSION_DENIED, FILE_TYPE_NOT_ALLOWED, whether anything has this name or not; PATH_EXISTS for the name of a
 * virtual directory
 */
export function newWithin(
  folder: Location,
  { name, kind, need = folder.need }: { readonly name: string; readonly kind: NewKind; readonly need?: Need },
): Location {
  const entry = derive(folder, { key: `${folder.key}/${name}`, path: below(folder.path, name), need })
  entry.require(need, kind === 'file' ? 'new-file' : 'new-folder')
  if (mountIn(folder, name) !== undefined) throw new AppError('PATH_EXISTS', { name })
  return entry
}

/** Whether {@link newWithin} takes a name, that of a virtual directory aside. */
export function takesNew(
  folder: Location,
  { name, kind, need }: { readonly name: string; readonly kind: NewKind; readonly need: Need },
): boolean {
  const entry = derive(folder, { key: `${folder.key}/${name}`, path: below(folder.path, name), need })
  return entry.judge(need, kind === 'file' ? 'new-file' : 'new-folder').decision.answer === 'allowed'
}

/** The folder of an entry. @throws AppError PARAMETER_INVALID for a root, which has none */
export function folderOf(location: Location): Location {
  const { key, path } = location
  if (location.isRoot) throw new AppError('PARAMETER_INVALID', { field: 'path' })
  return derive(location, {
    key: key.slice(0, key.lastIndexOf('/')),
    path: path.slice(0, path.lastIndexOf('/')) || '/',
  })
}

/**
 * The same entry under the key that it has on the storage, in another form of its accents.
 * @throws Error for the key of another entry
 */
export function storedAs(location: Location, key: string): Location {
  if (location.key === key) return location
  const { rootKey, path, rootPath } = location
  const above = rootPath === '/' ? '' : rootPath
  if (!key.startsWith(`${rootKey}/`) || above + key.slice(rootKey.length).normalize('NFC') !== path) {
    throw new Error('a key of another entry')
  }
  return derive(location, { key, path })
}

/**
 * An entry that was found before, by its path that was opened again; nothing is looked at on the storage.
 * @throws AppError PATH_NOT_FOUND where the path leads elsewhere by now, as that of a virtual directory may
 */
export function sameEntry(location: Location, before: Location): Location {
  if (location.key.normalize('NFC') !== before.key.normalize('NFC'))
    throw refusal({ answer: 'hidden' }, nameOf(location))
  return storedAs(location, before.key)
}

/** Own name of a location; '' for a root. */
export function nameOf(location: Pick<Location, 'path'>): string {
  return location.path.slice(location.path.lastIndexOf('/') + 1)
}

/** Whether `location` is `folder` itself or lies below it. */
export function isWithin(location: Location, folder: Location): boolean {
  return location.store === folder.store && (location.key === folder.key || location.key.startsWith(`${folder.key}/`))
}
