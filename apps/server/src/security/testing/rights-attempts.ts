import path from 'node:path'
import type { Need } from '../../content/access/needs.ts'
import { hrefOf } from '../../edge/webdav/webdav.paths.ts'
import type { Person, PlaceName } from './rights-people.ts'
import { GROUP, placeOfPath, randomContent, randomName, type Dice } from './rights-worlds.ts'
import type { Site } from './sites.ts'
import { ask, type Answer } from './wire.ts'

/** What a change by an attempt may be covered by: one of these needs for each path that is gone, new or other than before. */
export interface Cover {
  readonly gone?: readonly Need[]
  readonly newFile?: readonly Need[]
  readonly newFolder?: readonly Need[]
  readonly other?: readonly Need[]
}

/** One thing that a person tries through one door. */
export interface Attempt {
  readonly door: string
  readonly place: PlaceName
  readonly path: string
  /** Everything that the person said: what an answer repeats of it tells nothing. */
  readonly said: string
  readonly answers: readonly Answer[]
  /** By the place that a changed path is in. Without one nothing may change. */
  readonly cover: Partial<Record<PlaceName, Cover>>
  /** Answers with what there was once; it may name what the person could see then, or by the rights of now. */
  readonly isHistory?: true
}

/** Who tries, where, and with which paths to choose from. */
export interface Trial {
  readonly dice: Dice
  readonly site: Site
  readonly person: Person
  readonly groupId: number
  readonly place: PlaceName
  /** A path that exists, whether the person can see it or not, or nearly one. */
  readonly path: string
  /** A folder to put something into, in any place. */
  readonly target: { readonly groupId: number; readonly place: PlaceName; readonly path: string }
}

type Door = (trial: Trial) => Promise<Omit<Attempt, 'place' | 'path'>>

function quiet(door: string, operation: string, inputOf: (trial: Trial) => object, isHistory?: true): Door {
  return async (trial) => {
    const input = inputOf(trial)
    const answers = [await trial.site.call(trial.person.dav.session, operation, input)]
    return { door, said: JSON.stringify(input), answers, cover: {}, ...(isHistory && { isHistory }) }
  }
}

function changing(
  operation: string,
  inputOf: (trial: Trial) => object,
  coverOf: (trial: Trial) => Attempt['cover'],
): Door {
  return async (trial) => {
    const input = inputOf(trial)
    const answers = [await trial.site.call(trial.person.dav.session, operation, input)]
    return { door: operation, said: JSON.stringify(input), answers, cover: coverOf(trial) }
  }
}

/** What a move or copy may change, at its source and at its target. */
function transferCover(kind: 'move' | 'copy', { place, target }: Trial): Attempt['cover'] {
  if (place !== target.place) {
    return {
      ...(kind === 'move' && { [place]: { gone: ['moveOut'] } }),
      [target.place]: { newFile: ['bringFile'], newFolder: ['bringFolder'], other: ['replace'], gone: ['replace'] },
    }
  }
  return kind === 'move'
    ? { [place]: { gone: ['move', 'replace'], newFile: ['moveHere'], newFolder: ['moveHere'], other: ['replace'] } }
    : { [place]: { newFile: ['copyHere'], newFolder: ['copyFolderHere'], other: ['replace'], gone: ['replace'] } }
}

/** On the drive a folder that is in the way goes to the bin first. */
function overwriting(kind: 'move' | 'copy', trial: Trial): Attempt['cover'] {
  const cover = transferCover(kind, trial)
  const at = cover[trial.target.place]
  return { ...cover, [trial.target.place]: { ...at, gone: [...(at?.gone ?? []), 'delete'] } }
}

const DAV_NAMES: Readonly<Record<PlaceName, readonly string[]>> = {
  home: ['personal'],
  mount: ['personal'],
  group: ['groups', 'Team'],
}

function davNames(place: PlaceName, at: string): string[] {
  return [...DAV_NAMES[place], ...at.split('/').filter((part) => part !== '')]
}

function dav(
  method: string,
  coverOf: (trial: Trial) => Attempt['cover'],
  more: (trial: Trial) => object = () => ({}),
): Door {
  return async (trial) => {
    const names = davNames(trial.place, trial.path)
    const extra = more(trial)
    const answers = [await trial.person.dav.send(method, names, extra)]
    return { door: `dav ${method}`, said: names.join('/') + JSON.stringify(extra), answers, cover: coverOf(trial) }
  }
}

/** Header of a move or copy on the drive. */
function destination({ site, target, path: at }: Trial) {
  const names = davNames(target.place, path.posix.join(target.path, path.posix.basename(at)))
  return { headers: { destination: site.url + hrefOf(names, false), overwrite: 'T' } }
}

const placed = ({ groupId, path: at }: Trial) => ({ groupId, paths: [at] })
const put = ({ place }: Trial): Attempt['cover'] => ({
  [place]: { newFile: ['uploadFile'], newFolder: ['uploadFolder'], other: ['replace'] },
})
const transferInput = ({ dice, groupId, path: at, target }: Trial) => ({
  ...{ groupId, paths: [at], target: target.path, targetGroupId: target.groupId },
  conflict: dice.oneOf(['fail', 'replace', 'keep-both', 'skip']),
})

/** A name that is free, or the one that something has already. */
function aName({ dice, target }: Trial): string {
  return dice.below(4) === 0 ? path.posix.basename(target.path) || 'a' : randomName(dice)
}

async function upload(trial: Trial): Promise<Omit<Attempt, 'place' | 'path'>> {
  const { dice, site, person, groupId } = trial
  const isReplacing = dice.below(2) === 0
  const [folder, filename] = isReplacing
    ? [path.posix.dirname(trial.path), path.posix.basename(trial.path)]
    : [trial.path, aName(trial)]
  const content = Buffer.from(randomContent(dice))
  const token = person.dav.session
  const json = { groupId, folder, filename: filename || 'a', size: content.length, conflict: 'replace', resume: false }
  const created = await site.ask({ method: 'POST', path: '/api/uploads', token, json })
  const answers = [created]
  if (created.code === 200) {
    const address = `/api/uploads/${String(created.data['uploadId'])}`
    answers.push(await site.ask({ method: 'PUT', path: `${address}/parts/0`, token, body: content }))
    answers.push(await site.ask({ method: 'POST', path: `${address}/complete`, token, json: {} }))
  }
  return { door: 'upload', said: JSON.stringify(json) + content.toString(), answers, cover: put(trial) }
}

/** A ticket for one entry, and what it leads to: a file, or a zip of a folder. */
async function download(trial: Trial): Promise<Omit<Attempt, 'place' | 'path'>> {
  const token = trial.person.dav.session
  const ticket = await trial.site.call(token, 'download', placed(trial))
  const answers = [ticket]
  if (ticket.code === 200) answers.push(await ask(trial.site.url, { path: String(ticket.data['url']), token }))
  return { door: 'download', said: trial.path, answers, cover: {} }
}

async function content({ site, person, groupId, path: at }: Trial): Promise<Omit<Attempt, 'place' | 'path'>> {
  const address = `/api/files/content?path=${encodeURIComponent(at)}&groupId=${groupId}`
  return {
    door: 'content',
    said: at,
    answers: [await site.ask({ path: address, token: person.dav.session })],
    cover: {},
  }
}

/** Takes something out of the bin of the place, if anything is there. */
async function fromBin(operation: 'restore' | 'purge', trial: Trial): Promise<Omit<Attempt, 'place' | 'path'>> {
  const { dice, site, person, groupId, place } = trial
  const token = person.dav.session
  const bin = await site.call(token, 'recycled', { groupId })
  const items = (bin.data['items'] ?? []) as unknown as ReadonlyArray<{ readonly recycleId: string }>
  const { recycleId } = items[dice.below(Math.max(items.length, 1))] ?? { recycleId: 'none' }
  const input = { groupId, recycleIds: [recycleId] }
  const answers = [bin, await site.call(token, operation, input)]
  const restored: Cover = { newFile: ['restore'], newFolder: ['restore', 'restoreFolder'], other: ['replace'] }
  // An item of the virtual directory comes back into it, from the bin of the home.
  const cover: Attempt['cover'] =
    operation === 'purge' ? {} : place === 'group' ? { group: restored } : { home: restored, mount: restored }
  return { door: operation, said: JSON.stringify(input), answers, cover, isHistory: true }
}

export const DOORS: readonly [Door, ...Door[]] = [
  quiet('list', 'list', ({ groupId, path: folder }) => ({ groupId, folder })),
  quiet('columns', 'columns', ({ groupId, path: folder }) => ({ groupId, folder, orderBy: 'size' })),
  quiet('attributes', 'attributes', placed),
  quiet('exists', 'exists', placed),
  quiet('preview', 'preview', ({ groupId, path: at }) => ({ groupId, path: at })),
  quiet('activity', 'activity', ({ groupId, path: at }) => ({ groupId, path: at }), true),
  quiet('versions', 'versions', ({ groupId, path: at }) => ({ groupId, path: at }), true),
  quiet('recycled', 'recycled', ({ groupId }) => ({ groupId }), true),
  // It knows what is there from an index that is behind, but names only what stands there still.
  quiet('search', 'search', ({ dice, groupId, path: folder }) => ({
    ...{ groupId, folder, text: dice.oneOf(['n', 'x', '.key', '.txt', 'a']) },
    scope: dice.oneOf(['here', 'below', 'everywhere']),
  })),
  content,
  download,
  upload,
  changing(
    'mkdir',
    (trial) => ({ groupId: trial.groupId, folder: trial.path, name: aName(trial) }),
    ({ place }) => ({ [place]: { newFolder: ['makeFolder'] } }),
  ),
  changing(
    'rename',
    (trial) => ({
      groupId: trial.groupId,
      path: path.posix.dirname(trial.path),
      ...{ oldName: path.posix.basename(trial.path) || 'a', newName: aName(trial) },
    }),
    ({ place }) => ({ [place]: { gone: ['rename'], newFile: ['rename'], newFolder: ['rename'] } }),
  ),
  changing('move', transferInput, (trial) => transferCover('move', trial)),
  changing('copy', transferInput, (trial) => transferCover('copy', trial)),
  changing('remove', placed, ({ place }) => ({ [place]: { gone: ['delete'] } })),
  changing(
    'pack',
    (trial) => ({ ...placed(trial), target: trial.target.path, name: `${randomName(trial.dice)}.zip` }),
    // Into the place that the path of the target means beside the source.
    ({ groupId, target }) => ({ [placeOfPath(groupId, target.path)]: { newFile: ['packHere'] } }),
  ),
  (trial) => fromBin('restore', trial),
  (trial) => fromBin('purge', trial),
  dav(
    'PROPFIND',
    () => ({}),
    () => ({ headers: { depth: '1' } }),
  ),
  dav('GET', () => ({})),
  dav('PUT', put, ({ dice }) => ({ body: randomContent(dice) })),
  dav('DELETE', ({ place }) => ({ [place]: { gone: ['delete'] } })),
  dav('MOVE', (trial) => overwriting('move', trial), destination),
  dav('COPY', (trial) => overwriting('copy', trial), destination),
]

/** Group number of a place, as the wire has it. */
export function groupIdOf(place: PlaceName): number {
  return place === 'group' ? GROUP : 0
}
