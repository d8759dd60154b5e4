import path from 'node:path'
import { naiveDecision, NEED_FLAGS } from '../../content/access/testing/naive-policy.ts'
import type { Need } from '../../content/access/needs.ts'
import { DOORS, groupIdOf, type Attempt } from './rights-attempts.ts'
import { PLACES, type Person, type PlaceName, type Trees } from './rights-people.ts'
import { changesIn, tokensIn, type Tree } from './rights-trees.ts'
import { diceOf, openRightsSite, placeOfPath, randomName, type Dice, type RightsSite } from './rights-worlds.ts'
import type { Answer } from './wire.ts'

/** Attempts with the same rights: then everyone gets others, and all places new files. */
const ROUND = 5_000
/** Faults after which no more are looked for. */
const ENOUGH = 10

export interface RightsResult {
  readonly attempts: number
  /** Attempts that changed something. */
  readonly changes: number
  /** Attempts that the server refused. */
  readonly refusals: number
  /** Each in words, with what is needed to see it again. */
  readonly faults: readonly string[]
}

/**
 * People of random rights try everything through every door. The disk says what changed, a second and naive implementation of
 * the rules what was allowed: nothing of a hidden entry may be in an answer, no change may go beyond the rights, and what the
 * rights plainly cover must work.
 */
export async function rightsCampaign(seed: number, count: number, attempts: number): Promise<RightsResult> {
  const dice = diceOf(seed)
  await using world = await openRightsSite(dice, count)
  const faults: string[] = []
  let people: readonly Person[] = []
  const shared: Past = new Map()
  let [tried, changes, refusals] = [0, 0, 0]
  const everyonesStrays = (): string[] =>
    people.flatMap((each) => strays(world, each).map((fault) => `seed ${seed}, before attempt ${tried}: ${fault}`))
  for (; tried < attempts && faults.length < ENOUGH; tried++) {
    if (tried % ROUND === 0) {
      faults.push(...everyonesStrays())
      people = await world.deal()
    }
    const person = people[dice.below(people.length)]
    if (person === undefined) break
    const early = strays(world, person)
    const before = world.seen(person)
    if (tried % ROUND === 0) note(before.group, shared)
    const hidden = person.hidden(before)
    const attempt = await tryOne(world, { dice, person, trees: before })
    const after = world.look(person)
    if (before.group !== after.group) note(after.group, shared)
    const isForeign = (token: string): boolean => !shared.has(token) && people.some((other) => other.knows(token))
    const found = [
      ...early,
      ...leaks(attempt, { person, hidden, past: shared, isForeign }),
      ...uncovered(attempt, person, { before, after }),
      ...untrue(attempt, person, before),
    ]
    if (attempt.answers.some(({ status }) => status >= 400)) refusals++
    if (PLACES.some((place) => before[place] !== after[place])) changes++
    if (before.group !== after.group) {
      await world.readRules()
      for (const each of people) each.noteShown(after.group)
    }
    const what = `${person.account}, ${attempt.door} ${attempt.place}:${attempt.path}`
    faults.push(...found.map((fault) => `seed ${seed}, attempt ${tried}, ${what}: ${fault}`))
  }
  faults.push(...everyonesStrays())
  return { attempts: tried, changes, refusals, faults }
}

/** Where names and contents lay in the group at some time, and whether as folders: whoever gets more rights finds them in the histories. */
type Past = Map<string, Map<string, boolean>>

function note(group: Tree, past: Past): void {
  for (const [at, { text, tokens }] of group) {
    for (const token of tokens) {
      const paths = past.get(token) ?? new Map<string, boolean>()
      past.set(token, paths.set(at, text === null))
    }
  }
}

/**
 * What has changed in the person’s places since anyone last tried something that reaches them: somebody else got into them, or
 * a change came later than the answer.
 */
function strays(world: RightsSite, person: Person): string[] {
  const before = world.seen(person)
  const after = world.look(person)
  return PLACES.flatMap((place) =>
    changesIn(before[place], after[place]).map(
      ({ at, kind }) => `${kind} in ${place}:${at}, where ${person.account} tried nothing`,
    ),
  )
}

interface Turn {
  readonly dice: Dice
  readonly person: Person
  readonly trees: Trees
}

interface Secrets {
  readonly person: Person
  readonly hidden: ReadonlySet<string>
  /** Of the group. */
  readonly past: Past
  readonly isForeign: (token: string) => boolean
}

function tryOne({ site }: RightsSite, { dice, person, trees }: Turn): Promise<Attempt> {
  const [from, to] = [dice.oneOf(PLACES), dice.oneOf(PLACES)]
  const at = dice.below(12) === 0 ? `/b/${randomName(dice)}` : somePath(dice, trees, from, false)
  const [place, targetPath] = [placeOfPath(groupIdOf(from), at), somePath(dice, trees, to, true)]
  const target = { groupId: groupIdOf(to), place: placeOfPath(groupIdOf(to), targetPath), path: targetPath }
  const trial = { dice, site, person, groupId: groupIdOf(from), place, path: at, target }
  return dice
    .oneOf(DOORS)(trial)
    .then((attempt) => ({ ...attempt, place, path: at }))
}

function somePath(dice: Dice, trees: Trees, place: PlaceName, isFolder: boolean): string {
  const all = [...trees[place]].filter(([, { text }]) => !isFolder || text === null).map(([at]) => at)
  return all[dice.below(all.length + 1)] ?? (place === 'mount' ? '/Vault' : '/')
}

/** Names and contents in what the server answered that the person must not learn of: hidden ones, and what others alone could ever see. */
function leaks({ answers, said, isHistory }: Attempt, { person, hidden, past, isForeign }: Secrets): string[] {
  const wasInSight = (token: string): boolean =>
    person.knows(token) || [...(past.get(token) ?? [])].some(([at, isFolder]) => person.isShown('group', at, isFolder))
  const told = new Set(answers.flatMap(({ body }) => tokensIn(body.toString('latin1'))))
  return [...told]
    .filter((token) => !said.includes(token))
    .filter((token) =>
      hidden.has(token) ? isHistory !== true || !wasInSight(token) : !person.knows(token) && isForeign(token),
    )
    .map((token) => `told of the ${hidden.has(token) ? 'hidden' : 'foreign'} ${token}`)
}

function allows(
  person: Person,
  place: PlaceName,
  need: Need,
  at: string,
  role: 'entry' | 'new-file' | 'new-folder',
): boolean {
  return naiveDecision(person.worlds[place], NEED_FLAGS[need], { need, path: at, role }).answer === 'allowed'
}

/** Changes that no right of the person covers. */
function uncovered(attempt: Attempt, person: Person, { before, after }: { before: Trees; after: Trees }): string[] {
  return PLACES.flatMap((place) =>
    changesIn(before[place], after[place])
      .filter(({ at, kind }) => {
        // What lies in a renamed folder has the name that it had: types are asked for new names alone.
        const isCarried = attempt.door === 'rename' && !before[place].has(path.posix.dirname(at))
        const role = kind === 'newFile' && !isCarried ? 'new-file' : kind.startsWith('new') ? 'new-folder' : 'entry'
        return !(attempt.cover[place]?.[kind] ?? []).some((need) => allows(person, place, need, at, role))
      })
      .map(({ at, kind }) => `${kind} without a right: ${place}:${at}`),
  )
}

/** What is answered otherwise than the tree and the rights say: lists, sizes, counts, contents. */
function untrue(attempt: Attempt, person: Person, trees: Trees): string[] {
  const { door, place, path: at } = attempt
  const [answer] = attempt.answers
  if (door === 'search') return answer === undefined ? [] : falselyFound(person, trees, answer)
  // Only in a home is that name the virtual directory; in the group it is a folder like any other.
  const content = at === '/' || (place === 'mount' && at === '/Vault') ? null : trees[place].get(at)?.text
  if (answer === undefined || content === undefined) return []
  const isSeen = person.isShown(place, at, content === null)
  if (door === 'columns' && content === null) {
    if (!allows(person, place, 'list', at, 'entry')) return answer.code === 200 ? ['listed without the right'] : []
    return answer.code === 200
      ? compare('names', namesIn(person, trees, place, at), answer.data['names'])
      : ['not listed']
  }
  if (door === 'content' && content !== null) {
    const isAllowed = isSeen && allows(person, place, 'download', at, 'entry')
    if (isAllowed) return answer.status === 200 && answer.body.toString('latin1') === content ? [] : ['not served']
    return answer.status === 200 ? ['served without the right'] : []
  }
  if (door === 'attributes' && at !== '/' && place !== 'mount' && allows(person, place, 'list', at, 'entry')) {
    if (!isSeen) return answer.code === 200 ? ['attributes of what is hidden'] : []
    const [item] = (answer.data['items'] ?? []) as unknown as ReadonlyArray<Record<string, number>>
    return compare('counts', countsOf(person, trees, place, at), [
      item?.['size'],
      item?.['file_count'],
      item?.['folder_count'],
    ])
  }
  return []
}

interface FoundItem {
  readonly groupId: number
  readonly path: string
  readonly file_type: string
  readonly size: number
}

/** What a search found that is not there, not to be seen, or of another size. What it has not found yet may be missing. */
function falselyFound(person: Person, trees: Trees, answer: Answer): string[] {
  const items = (answer.data['items'] ?? []) as unknown as readonly FoundItem[]
  return items.flatMap(({ groupId, path: at, file_type: type, size }) => {
    const place = placeOfPath(groupId, at)
    const text = place === 'mount' && at === '/Vault' ? null : trees[place].get(at)?.text
    const isThere = text !== undefined && (text === null) === (type === 'Folder') && (text?.length ?? 0) === size
    if (!isThere) return [`found ${type} ${place}:${at} of ${size} bytes, which is not there`]
    const isAllowed = person.isShown(place, at, text === null) && allows(person, place, 'list', '/', 'entry')
    return isAllowed ? [] : [`found ${place}:${at} without the right`]
  })
}

function namesIn(person: Person, trees: Trees, place: PlaceName, folder: string): string[] {
  const inside = [...trees[place]].filter(([at]) => path.posix.dirname(at) === folder)
  const shown = inside.filter(([at, { text }]) => person.isShown(place, at, text === null))
  const alias = place === 'home' && folder === '/' && person.isShown('mount', '/Vault', true) ? ['Vault'] : []
  return [...shown.map(([at]) => path.posix.basename(at)), ...alias].toSorted()
}

/** Bytes, files and folders of what a person sees at and below a path. */
function countsOf(person: Person, trees: Trees, place: PlaceName, top: string): number[] {
  const text = trees[place].get(top)?.text ?? null
  if (text !== null) return [text.length, 1, 0]
  const inside = [...trees[place]].filter(
    ([at, entry]) => at.startsWith(`${top}/`) && person.isShown(place, at, entry.text === null),
  )
  const sizes = inside.flatMap(([, entry]) => entry.text?.length ?? [])
  return [sizes.reduce((sum, size) => sum + size, 0), sizes.length, inside.length - sizes.length]
}

function compare(what: string, expected: readonly unknown[], found: unknown): string[] {
  const sorted = Array.isArray(found) && what === 'names' ? found.map(String).toSorted() : found
  const [wanted, told] = [JSON.stringify(expected), JSON.stringify(sorted)]
  return wanted === told ? [] : [`${what} ${told}, expected ${wanted}`]
}
