import path from 'node:path'
import { naiveDecision, NEED_FLAGS } from '../../content/access/testing/naive-policy.ts'
import type { Need } from '../../content/access/needs.ts'
import { DOORS, groupIdOf, type Attempt } from './rights-attempts.ts'
import {
  diceOf,
  hiddenTokens,
  isShown,
  noteShown,
  openRightsSite,
  placeOfPath,
  randomName,
  tokensIn,
  type Dice,
  type Person,
  type PlaceName,
  type RightsSite,
  type Trees,
} from './rights-worlds.ts'

const PLACES = ['home', 'mount', 'group'] as const

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
export async function rightsCampaign(seed: number, people: number, attempts: number): Promise<RightsResult> {
  const dice = diceOf(seed)
  await using world = await openRightsSite(dice, people)
  const faults: string[] = []
  let changes = 0
  let refusals = 0
  for (let at = 0; at < attempts; at++) {
    const person = world.people[dice.below(world.people.length)]
    if (person === undefined) break
    const before = world.treesOf(person)
    const hidden = hiddenTokens(person, before)
    const attempt = await tryOne(world, { dice, person, trees: before })
    const after = world.treesOf(person)
    const found = [
      ...leaks(attempt, person, hidden),
      ...uncovered(attempt, person, { before, after }),
      ...untrue(attempt, person, before),
    ]
    if (attempt.answers.some(({ status }) => status >= 400)) refusals++
    if (PLACES.some((place) => differences(before, after, place).length > 0)) changes++
    if (differences(before, after, 'group').length > 0) {
      await world.readRules()
      for (const each of world.people) noteShown(each, after)
    }
    for (const fault of found) {
      faults.push(
        `seed ${seed}, attempt ${at}, ${person.account}, ${attempt.door} ${attempt.place}:${attempt.path}: ${fault}`,
      )
    }
  }
  return { attempts, changes, refusals, faults }
}

interface Turn {
  readonly dice: Dice
  readonly person: Person
  readonly trees: Trees
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
  const all = [...trees[place]].filter(([, content]) => !isFolder || content === null).map(([at]) => at)
  return all[dice.below(all.length + 1)] ?? (place === 'mount' ? '/Vault' : '/')
}

/** Names and contents of hidden entries in what the server answered. */
function leaks({ answers, said, isHistory }: Attempt, { known }: Person, hidden: ReadonlySet<string>): string[] {
  const told = new Set(answers.flatMap(({ body }) => tokensIn(body.toString('latin1'))))
  return [...told]
    .filter((token) => hidden.has(token) && !said.includes(token) && !(isHistory === true && known.has(token)))
    .map((token) => `told of the hidden ${token}`)
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

interface Difference {
  readonly at: string
  readonly kind: 'gone' | 'newFile' | 'newFolder' | 'other'
}

function differences(before: Trees, after: Trees, place: PlaceName): Difference[] {
  const [was, is] = [before[place], after[place]]
  const found: Difference[] = []
  for (const [at, content] of was) {
    if (!is.has(at)) found.push({ at, kind: 'gone' })
    else if (is.get(at)?.text !== content?.text) found.push({ at, kind: 'other' })
  }
  for (const [at, content] of is) if (!was.has(at)) found.push({ at, kind: content === null ? 'newFolder' : 'newFile' })
  return found
}

/** Changes that no right of the person covers. */
function uncovered(attempt: Attempt, person: Person, { before, after }: { before: Trees; after: Trees }): string[] {
  return PLACES.flatMap((place) =>
    differences(before, after, place)
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
  const content = at === '/' || at === '/Vault' ? null : trees[place].get(at)
  if (answer === undefined || content === undefined) return []
  const isSeen = isShown(person, place, at, content === null)
  if (door === 'columns' && content === null) {
    if (!allows(person, place, 'list', at, 'entry')) return answer.code === 200 ? ['listed without the right'] : []
    return answer.code === 200
      ? compare('names', namesIn(person, trees, place, at), answer.data['names'])
      : ['not listed']
  }
  if (door === 'content' && content !== null) {
    const isAllowed = isSeen && allows(person, place, 'download', at, 'entry')
    if (isAllowed) return answer.status === 200 && answer.body.toString('latin1') === content.text ? [] : ['not served']
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

function namesIn(person: Person, trees: Trees, place: PlaceName, folder: string): string[] {
  const inside = [...trees[place]].filter(([at]) => path.posix.dirname(at) === folder)
  const shown = inside.filter(([at, content]) => isShown(person, place, at, content === null))
  const alias = place === 'home' && folder === '/' && isShown(person, 'mount', '/Vault', true) ? ['Vault'] : []
  return [...shown.map(([at]) => path.posix.basename(at)), ...alias].toSorted()
}

/** Bytes, files and folders of what a person sees at and below a path. */
function countsOf(person: Person, trees: Trees, place: PlaceName, top: string): number[] {
  const own = trees[place].get(top)
  if (own) return [own.size, 1, 0]
  const inside = [...trees[place]].filter(
    ([at, content]) => at.startsWith(`${top}/`) && isShown(person, place, at, content === null),
  )
  const sizes = inside.flatMap(([, content]) => content?.size ?? [])
  return [sizes.reduce((sum, size) => sum + size, 0), sizes.length, inside.length - sizes.length]
}

function compare(what: string, expected: readonly unknown[], found: unknown): string[] {
  const sorted = Array.isArray(found) && what === 'names' ? found.map(String).toSorted() : found
  const [wanted, told] = [JSON.stringify(expected), JSON.stringify(sorted)]
  return wanted === told ? [] : [`${what} ${told}, expected ${wanted}`]
}
