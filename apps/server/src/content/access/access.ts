import type { Storages } from '../../foundation/storages/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { GuestPrincipal, Principal } from '../../kernel/principal.ts'
import { find } from './find.ts'
import { foldName } from './fold-name.ts'
import { needSpec, type Need } from './needs.ts'
import { folderOf, makeLocation, nameOf, type Location, type LocationVerdict } from './location.ts'
import { newName, pathNames, rawNames } from './names.ts'
import { mountPlaces, personalPlaces } from './personal-place.ts'
import type { Place, PlaceIds, PlaceKind, PlaceResolver, Standing } from './places.ts'
import { accountRules } from './account-rules.ts'
import type { Rules } from './rules.ts'

/** The rules that narrow what a principal has in a place, one entry for each level that has any. */
export type RulesSource = (principal: Principal, place: Place) => Promise<readonly Rules[]> | readonly Rules[]

export interface AccessDeps {
  readonly storages: Storages
  /** Those of the account unless given. */
  readonly rulesOf?: RulesSource
}

/** The folder that a guest brings files into, as its owner sees it. */
export interface GuestFolder {
  readonly ids: PlaceIds
  readonly ownerId: string
  readonly path: string
}

/** A file that a guest brings. */
export interface GuestFile {
  /** Without folders. */
  readonly name: string
  /** Bytes; null while nobody knows. */
  readonly size: number | null
  /** False while it may still grow. */
  readonly isWhole: boolean
}

/** What a feature that has guests knows of them. */
export interface GuestResolver {
  readonly folder: (guest: GuestPrincipal) => Promise<GuestFolder>
  readonly name: (linkId: string) => Promise<string>
  readonly expected: (guest: GuestPrincipal, file: GuestFile) => Promise<string>
}

export interface JudgedPath extends LocationVerdict {
  readonly ids: PlaceIds
  /** The name of the virtual directory that the path leads into. */
  readonly mount?: string
  readonly path: string
}

/** The one way from a user's path to a file. */
export interface Access {
  /**
   * Resolves place, path and rights together. For what is to be made, open its folder and take newWithin() from there.
   * @throws AppError what the place's resolver throws, PARAMETER_INVALID, NAME_INVALID, PATH_TOO_LONG, PERMISSION_DENIED with the
   * flag, PATH_NOT_FOUND for what is hidden
   */
  open(ctx: Pick<Ctx, 'principal'>, place: Place, path: string, need: Need): Promise<Location>
  /** The same for many paths of one place, in their order. @throws AppError as `open` for the first that is refused */
  openAll(ctx: Pick<Ctx, 'principal'>, place: Place, paths: readonly string[], need: Need): Promise<Location[]>
  /**
   * Whether a principal may do something at a path, and what decides; nothing is looked at on the storage. For what is to be made,
   * the path is that of the new entry.
   * @throws AppError what the place's resolver throws, PARAMETER_INVALID, NAME_INVALID, PATH_TOO_LONG
   */
  judge(ctx: Pick<Ctx, 'principal'>, place: Place, path: string, need: Need): Promise<JudgedPath>
  /** Where a guest's paths count from. @throws AppError LINK_EXPIRED, PERMISSION_DENIED */
  guestFolder(guest: GuestPrincipal): Promise<GuestFolder>
  /**
   * Whether a guest is asked for such a file.
   * @returns the SHA-256 that it must have; '' for any
   * @throws AppError LINK_FILE_UNEXPECTED, LINK_FILE_TYPE_UNEXPECTED, LINK_FILE_TOO_SMALL, LINK_FILE_TOO_LARGE
   */
  expectedOf(guest: GuestPrincipal, file: GuestFile): Promise<string>
  /** Brings in the folders of guests. */
  guests(resolver: GuestResolver): void
  /** What others call the guests of a link: by its name; '' when it is gone. */
  guestName(linkId: string): Promise<string>
  /** Brings in a kind of place. */
  place<Kind extends PlaceKind>(kind: Kind, resolver: PlaceResolver<Kind>): void
}

export function createAccess({ storages, rulesOf = accountRules }: AccessDeps): Access {
  let guests: GuestResolver = {
    folder: () => Promise.reject(new AppError('PERMISSION_DENIED')),
    name: () => Promise.resolve(''),
    expected: () => Promise.resolve(''),
  }
  const resolvers: { [Kind in PlaceKind]?: PlaceResolver<Kind> } = {
    personal: personalPlaces(storages),
    mount: mountPlaces(storages),
  }

  async function standingIn<Kind extends PlaceKind>(
    principal: Principal,
    place: Extract<Place, { readonly kind: Kind }>,
  ): Promise<Standing> {
    const resolver: PlaceResolver<Kind> | undefined = resolvers[place.kind]
    // Kinds whose feature is not there yet.
    if (resolver === undefined) throw new AppError('PERMISSION_DENIED')
    const resolved = await resolver(principal, place, (outer, as = principal) => standingIn(as, outer))
    const standing = place.kind === 'personal' ? resolved : withoutMounts(resolved)
    const rules = await rulesOf(principal, place)
    return rules.length === 0
      ? standing
      : { ...standing, grants: { ...standing.grants, rules: [...standing.grants.rules, ...rules] } }
  }

  function standingOf({ principal }: Pick<Ctx, 'principal'>, place: Place): Promise<Standing> {
    if (principal === undefined) throw new AppError('TOKEN_INVALID')
    return standingIn(principal, place)
  }

  return {
    async open(ctx, place, path, need) {
      const location = locationIn(await standingOf(ctx, place), path, need)
      await requireNeed(location, need)
      return location
    },
    async openAll(ctx, place, paths, need) {
      const standing = await standingOf(ctx, place)
      const locations = paths.map((path) => locationIn(standing, path, need))
      for (const location of locations) await requireNeed(location, need)
      return locations
    },
    async judge(ctx, place, path, need) {
      return judgePath(locationIn(await standingOf(ctx, place), path, need), need)
    },
    guestFolder: (guest) => guests.folder(guest),
    expectedOf: (guest, file) => guests.expected(guest, file),
    guestName: (linkId) => guests.name(linkId),
    guests(resolver) {
      guests = resolver
    },
    place(kind, resolver) {
      Object.assign(resolvers, { [kind]: resolver })
    },
  }
}

/** @throws AppError PARAMETER_INVALID, NAME_INVALID, PATH_TOO_LONG */
function locationIn(outer: Standing, path: string, need: Need): Location {
  const names = pathNames(path)
  const spelled = rawNames(path)
  const standing = outer.mounts?.get(foldName(names[0] ?? '')) ?? outer
  const { alias, rootKey } = standing
  // A mount's first name is its own, whatever it was called when the path was written down.
  const below = alias === undefined ? names : names.slice(1)
  return makeLocation({
    standing,
    need,
    key: [rootKey, ...below].join('/'),
    path: `/${(alias === undefined ? names : [alias, ...below]).join('/')}`,
    spelled: spelled.every((name, at) => name === names[at]) ? undefined : spelled,
  })
}

/** What is to be made is asked for twice, as when it is made: its folder, then its name. */
function judgePath(location: Location, need: Need): JudgedPath {
  const about = {
    ids: location.place,
    path: location.path,
    ...(location.rootPath === '/' ? {} : { mount: location.rootPath.slice(1) }),
  }
  if (needSpec(need).effect !== 'creates') return { ...location.judge(need, 'entry'), ...about }
  if (location.isRoot) return { ...location.judge(need, 'folder'), ...about }
  newName(nameOf(location))
  const folder = folderOf(location).judge(need, 'folder')
  if (folder.decision.answer !== 'allowed') return { ...folder, ...about }
  const isFolder = needSpec(need).flags.includes('mkdir')
  return { ...location.judge(need, isFolder ? 'new-folder' : 'new-file'), ...about }
}

/** Who has a part of somebody's home, as by a link, has no virtual directory of it. */
function withoutMounts({ mounts: _mounts, ...standing }: Standing): Standing {
  return standing
}

async function requireNeed(location: Location, need: Need): Promise<void> {
  const role = needSpec(need).effect === 'creates' ? 'folder' : 'entry'
  try {
    location.require(need, role)
  } catch (thrown) {
    // A name that is missing takes a look at the storage; a hidden one must not answer sooner.
    if (thrown instanceof AppError && thrown.code === 'PATH_NOT_FOUND') await find(location)
    throw thrown
  }
}
