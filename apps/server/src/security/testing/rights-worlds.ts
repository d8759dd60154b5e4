import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { seededRandom } from '@godwit/base'
import { PERMISSION } from '@godwit/contract'
import { naiveVisibility, type NaiveWorld } from '../../content/access/testing/naive-policy.ts'
import { NO_CAP } from '../../content/access/grants.policy.ts'
import { mountAs, type Mount } from '../../edge/webdav/testing/dav.ts'
import { openSite, type Site } from './sites.ts'

/** Where a path of a person leads: the home, the virtual directory in it, or the library of the group. */
export type PlaceName = 'home' | 'mount' | 'group'

export const GROUP = 1
const ALIAS = 'Vault'
/** A running server has read every account anew by then. */
const SEEN_MS = 2_500

export interface Dice {
  below(count: number): number
  oneOf<T>(items: readonly [T, ...T[]]): T
  /** Eight hexadecimal digits that never come again. */
  token(): string
}

export function diceOf(seed: number): Dice {
  const random = seededRandom(seed)
  const bytes = new Uint8Array(4)
  let made = 0
  const below = (count: number): number => new DataView(random.fill(bytes).buffer).getUint32(0) % count
  return {
    below,
    oneOf: ([first, ...others]) => others[below(others.length + 1) - 1] ?? first,
    token: () => `${below(0x1_0000).toString(16).padStart(4, '0')}${(made++).toString(16).padStart(4, '0')}`,
  }
}

type Level = NaiveWorld['levels'][number]

/** What a person may do, in a place. */
export interface Person {
  readonly account: string
  readonly dav: Mount
  /** Stands in the worlds of all places. */
  readonly rules: Level
  /** By place, as the rules of access are written. */
  readonly worlds: Readonly<Record<PlaceName, NaiveWorld>>
  /** Names and contents that this person could see at some time. */
  readonly known: Set<string>
}

/** A file as the disk has it. */
interface Content {
  readonly text: string
  readonly size: number
}

/** What lies at a path on the disk: a file, or null for a folder. */
export type Tree = ReadonlyMap<string, Content | null>
export type Trees = Readonly<Record<PlaceName, Tree>>

export interface RightsSite extends AsyncDisposable {
  readonly site: Site
  readonly people: readonly Person[]
  /** Everything that a person’s paths can lead to, as the disk has it. Keys are paths as the person writes them. */
  treesOf(person: Person): Trees
  /** Takes over what the rules of all people have become since: they follow what others move. */
  readRules(): Promise<void>
}

/** Where a path of the home leads. */
export function placeOfPath(groupId: number, at: string): PlaceName {
  if (groupId !== 0) return 'group'
  return at === `/${ALIAS}` || at.startsWith(`/${ALIAS}/`) ? 'mount' : 'home'
}

/** A server with people of random rights and rules, each with a home and a virtual directory, and one group of all of them. */
export async function openRightsSite(dice: Dice, count: number): Promise<RightsSite> {
  const site = await openSite()
  const elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-rights-'))
  const run = async (words: string): Promise<void> => {
    if ((await site.cli(words)) !== 0) throw new Error(site.printed())
  }
  await run('group add Team')
  await run(`storage add --name Elsewhere --kind local --folder ${elsewhere}/files`)
  const people: Person[] = []
  for (let at = 0; at < count; at++) people.push(await addPerson(site, { dice, account: `person${at}`, run }))
  fillTree(dice, path.join(site.data, `files/groups/${GROUP}`))
  for (const { account } of people) {
    fillTree(dice, site.home(account))
    fillTree(dice, path.join(elsewhere, 'files', account))
  }
  await new Promise((resolve) => setTimeout(resolve, SEEN_MS))
  return {
    site,
    people,
    treesOf: ({ account }) => ({
      home: treeOf(site.home(account), '', ALIAS),
      mount: treeOf(path.join(elsewhere, 'files', account), `/${ALIAS}`),
      group: treeOf(path.join(site.data, `files/groups/${GROUP}`), ''),
    }),
    readRules: () =>
      site.withDatabase(async ({ db }) => {
        for (const { account, file_rules: text } of await db.selectFrom('users').selectAll().execute()) {
          const rules = people.find((person) => person.account === account)?.rules
          if (rules !== undefined) Object.assign(rules, JSON.parse(text ?? '{}'))
        }
      }),
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]()
      fs.rmSync(elsewhere, { recursive: true, force: true })
    },
  }
}

interface Newcomer {
  readonly dice: Dice
  readonly account: string
  readonly run: (words: string) => Promise<void>
}

/** Signs in with all rights first: rights that are too few for a token would keep the drive shut. */
async function addPerson(site: Site, { dice, account, run }: Newcomer): Promise<Person> {
  await site.addUser(account)
  const dav = await mountAs(site, account)
  await site.call(dav.session, 'list', { folder: '/' })
  const isReadOnly = dice.below(3) === 0
  const kind = isReadOnly ? '--read-only ' : ''
  await run(`mount add ${ALIAS} --account ${account} --storage 2 --folder ${account} ${kind}`.trim())
  await run(`group member --group ${GROUP} --account ${account}`)
  const level = randomLevel(dice)
  const [permission, inGroup] = [randomFlags(dice), randomFlags(dice)]
  await site.withDatabase(async ({ db }) => {
    const change = { permission, file_rules: JSON.stringify(level) }
    await db.updateTable('users').set(change).where('account', '=', account).execute()
    const { id } = await db.selectFrom('users').select('id').where('account', '=', account).executeTakeFirstOrThrow()
    await db.updateTable('group_members').set({ permission: inGroup }).where('user_id', '=', id).execute()
  })
  const readOnly = PERMISSION.list | PERMISSION.download
  const world = (flags: number, caps: readonly number[] = []): NaiveWorld => ({
    given: [{ prefix: '/', flags, mayView: false }],
    caps,
    levels: [level],
    isAdministrator: false,
  })
  const worlds = {
    home: world(permission),
    mount: world(permission, isReadOnly ? [readOnly] : []),
    group: world(inGroup),
  }
  return { account, dav, rules: level, worlds, known: new Set() }
}

/** Most people may do most things: else nearly every attempt would fail for want of a flag. */
function randomFlags(dice: Dice): number {
  let flags = NO_CAP
  for (const flag of Object.values(PERMISSION)) if (dice.below(5) === 0) flags &= ~flag
  return flags
}

const PATTERNS = ['*.key', '/b/*.key', '/b/a', '/a/**/x*', '/Vault/b', 'x*.txt', '/a/b', '*.KEY'] as const

function randomLevel(dice: Dice): Level {
  const some = (): string[] => Array.from({ length: dice.below(3) }, () => dice.oneOf(PATTERNS))
  return {
    forbiddenPaths: some(),
    allowedPaths: dice.below(4) === 0 ? [dice.oneOf(['/a', '/b', 'a/b', '/a/*', '/Vault/a']), '/b/b'] : [],
    uploadNewOnly: dice.below(6) === 0,
    deniedTypes: dice.below(4) === 0 ? ['exe'] : [],
    allowedTypes: dice.below(8) === 0 ? ['txt', 'key', 'zip'] : [],
  }
}

export function randomName(dice: Dice): string {
  return `${dice.oneOf(['n', 'x'])}${dice.token()}${dice.oneOf(['.txt', '.key', '.KEY', '.exe', '.zip', ''])}`
}

/** A text that is found again wherever it goes, of a size of its own. */
export function randomContent(dice: Dice): string {
  return `c${dice.token()}`.padEnd(20 + dice.below(500), '.')
}

function fillTree(dice: Dice, root: string): void {
  for (const folder of ['', 'a', 'b', 'a/a', 'a/b', 'b/a', 'b/b', `a/b/x${dice.token()}`]) {
    fs.mkdirSync(path.join(root, folder), { recursive: true })
    for (let at = 0; at < 2; at++) fs.writeFileSync(path.join(root, folder, randomName(dice)), randomContent(dice))
  }
}

function treeOf(root: string, prefix: string, without?: string): Tree {
  const tree = new Map<string, Content | null>()
  if (!fs.existsSync(root)) return tree
  for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    const full = path.join(entry.parentPath, entry.name)
    const at = path.relative(root, full)
    if (at === without || at.startsWith(`${without}/`)) continue
    const text = entry.isDirectory() ? undefined : fs.readFileSync(full, 'latin1')
    tree.set(`${prefix}/${at}`, text === undefined ? null : { text, size: text.length })
  }
  return tree
}

const TOKENS = /[nxc][0-9a-f]{8}/g

/** Names and contents in a text that can be told from all others. */
export function tokensIn(text: string): string[] {
  return text.match(TOKENS) ?? []
}

/** Whether an entry exists for a person. What is shown as the way to something else is a folder. */
export function isShown({ worlds }: Pick<Person, 'worlds'>, place: PlaceName, at: string, isFolder: boolean): boolean {
  const seen = naiveVisibility(worlds[place], at)
  return seen === 'full' || (seen === 'way' && isFolder)
}

function tokensOf(at: string, content: Content | null): string[] {
  return [...tokensIn(at.slice(at.lastIndexOf('/'))), ...tokensIn(content?.text ?? '')]
}

/** Notes what a person could see in the group: a change by somebody else may hide it before the person looks. */
export function noteShown({ worlds, known }: Person, { group }: Pick<Trees, 'group'>): void {
  for (const [at, content] of group)
    if (isShown({ worlds }, 'group', at, content === null)) for (const token of tokensOf(at, content)) known.add(token)
}

/** Tokens that lie in a person’s places and in none of them where the person can see them. What can be seen is noted as known. */
export function hiddenTokens({ worlds, known }: Person, trees: Trees): Set<string> {
  const [shown, hidden] = [new Set<string>(), new Set<string>()]
  for (const name of ['home', 'mount', 'group'] as const) {
    for (const [at, content] of trees[name]) {
      const isHidden = !isShown({ worlds }, name, at, content === null)
      for (const token of tokensOf(at, content)) (isHidden ? hidden : shown).add(token)
    }
  }
  for (const token of shown) {
    known.add(token)
    hidden.delete(token)
  }
  return hidden
}
