import { posix } from 'node:path'
import { DISK, EDGE, PACKAGES, PURE, SERVER, WEB } from '../../layers.js'

/** Where a file lives. `rooms` are the folders under the root of its package or app, down to the file name. */
interface Place {
  readonly kind: 'package' | 'app' | 'outside'
  readonly name: string
  readonly rooms: readonly string[]
}

/** A layer's rank in its app, and the feature inside it; `feature` is the file itself when it stands at the layer's root. */
interface Floor {
  readonly rank: number
  readonly layer: string
  readonly feature: string
  readonly isDoor: boolean
}

const TOP = Number.POSITIVE_INFINITY

/**
 * Says what is wrong with one import, or nothing.
 * @param file repository path of the importing file, with `/`
 * @param specifier as written in the import
 */
export function importFault(file: string, specifier: string): string | undefined {
  const from = placeOf(file)
  if (specifier.startsWith('node:')) return nodeFault(file, from, specifier)
  const target = specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : specifier
  if (from.kind !== 'outside' && !isTest(file) && isTest(target)) return 'only tests import from tests and testing'
  if (specifier.startsWith('.')) return relativeFault(file, from, placeOf(target))
  if (specifier.startsWith('@godwit/')) return packageFault(file, from, specifier.slice('@godwit/'.length))
  return purityFault(file, 'npm', specifier)
}

/** Tests, and what stands in a folder `testing`, are not shipped: they may look upward and behind doors. */
export function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file) || /\/testing(?:\/|$)/.test(file)
}

function placeOf(file: string): Place {
  const [area = '', name = '', ...rest] = posix.normalize(file).split('/')
  const rooms = rest[0] === 'src' ? rest.slice(1) : rest
  if (area === 'packages') return { kind: 'package', name, rooms }
  if (area === 'apps') return { kind: 'app', name, rooms }
  return { kind: 'outside', name: area, rooms: [name, ...rest] }
}

function nodeFault(file: string, from: Place, specifier: string): string | undefined {
  const impure = purityFault(file, 'node', specifier)
  if (impure !== undefined) return impure
  const reachesDisk = /^node:(fs|path)(\/|$)/.test(specifier)
  if (!reachesDisk || isTest(file) || from.kind !== 'app' || from.name !== 'server' || from.rooms.length < 2) {
    return undefined
  }
  const room = from.rooms.join('/')
  if (DISK.some((allowed) => `${room}/`.startsWith(`${allowed}/`))) return undefined
  return `${specifier} is only for ${DISK.join(', ')}: paths are resolved in one place, content/files`
}

function purityFault(file: string, kind: 'node' | 'npm', specifier: string): string | undefined {
  if (isTest(file)) return undefined
  const pure = PURE.find(({ folder, without }) => file.startsWith(`${folder}/`) && without.includes(kind))
  return pure && `${pure.folder} stays free of ${specifier}: ${pure.because}`
}

function relativeFault(file: string, from: Place, to: Place): string | undefined {
  if (from.kind === 'outside') return to.kind === 'package' ? 'a package is entered by its name, @godwit/…' : undefined
  if (from.kind !== to.kind || from.name !== to.name) {
    return `${home(from)} reaches into ${home(to)}: a package is entered by its name, an app by nobody`
  }
  if (from.kind === 'package' || isTest(file)) return undefined
  return listFault(from, to) ?? floorFault(from, to)
}

/** Only the lists of layers know each other: a feature that took a whole layer would hide what it needs. */
function listFault(from: Place, to: Place): string | undefined {
  const isList = ({ name, rooms }: Place) => name === 'server' && rooms.length === 2 && rooms[1] === 'features.ts'
  if (!isList(to) || isList(from) || from.rooms.length === 1) return undefined
  return `${to.rooms.join('/')} is only for app.ts and the lists of other layers: take what is needed as an argument`
}

function floorFault(from: Place, to: Place): string | undefined {
  const here = floorOf(from)
  const there = floorOf(to)
  if (here.rank < there.rank)
    return `${here.layer} stands below ${there.layer} and does not know it: emit an event there`
  if (from.name === 'server' && here.layer === 'edge' && !isOwnDoor(here, there)) {
    return `${there.layer}/${there.feature} is a feature, and edges know none: declare it in the feature (kernel/feature.ts)`
  }
  const sameFeature = here.layer === there.layer && here.feature === there.feature
  return sameFeature || there.isDoor ? undefined : `${there.layer}/${there.feature} is entered through its index.ts`
}

/** Whether an edge may import from there. */
function isOwnDoor(here: Floor, there: Floor): boolean {
  const doors: Readonly<Record<string, readonly string[]>> = EDGE.doors
  return (
    !EDGE.without.includes(there.layer) || doors[here.feature]?.includes(`${there.layer}/${there.feature}`) === true
  )
}

function floorOf({ name, rooms }: Place): Floor {
  const [room = '', ...inner] = rooms
  const layers: readonly string[] = name === 'web' ? WEB : SERVER
  if (inner.length === 0 || !layers.includes(room)) return { rank: TOP, layer: room, feature: '', isDoor: true }
  if (name !== 'web' || room !== 'features') return floorIn(layers.indexOf(room), room, inner)
  const [layer = '', ...below] = inner
  return floorIn(layers.indexOf(room) + fraction(layer), `features/${layer}`, below)
}

function floorIn(rank: number, layer: string, inner: readonly string[]): Floor {
  const [feature = '', ...below] = inner
  const isDoor = below.length === 0 || (below.length === 1 && /^index\.tsx?$/.test(below[0] ?? ''))
  return { rank, layer, feature, isDoor }
}

/** Places the server's layers between two ranks of the web. */
function fraction(layer: string): number {
  return (SERVER.indexOf(layer) + 1) / (SERVER.length + 2)
}

function packageFault(file: string, from: Place, target: string): string | undefined {
  const [name = ''] = target.split('/')
  if (from.kind === 'outside') return undefined
  const wanted = rankOf(name)
  if (wanted === undefined) return `${home(from)} imports the app ${name}: apps are started, never imported`
  if (name === 'testkit') return isTest(file) || from.name === name ? undefined : 'testkit is for tests, bench and e2e'
  if (from.kind === 'app' || from.name === name) return undefined
  const own = rankOf(from.name)
  if (own !== undefined && wanted < own) return undefined
  return `${home(from)} stands below or beside packages/${name} and does not know it`
}

function rankOf(name: string): number | undefined {
  const rank = PACKAGES.findIndex((row) => row.includes(name))
  return rank < 0 ? undefined : rank
}

function home({ kind, name }: Place): string {
  return kind === 'package' ? `packages/${name}` : kind === 'app' ? `apps/${name}` : name
}
