import { argon2Sync } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { seededRandom } from '@godwit/base'
import { PERMISSION } from '@godwit/contract'
import type { NaiveWorld } from '../../content/access/testing/naive-policy.ts'
import { NO_CAP } from '../../content/access/grants.policy.ts'
import { mountAs, type Mount } from '../../edge/webdav/testing/dav.ts'
import { connectDatabase, type Db } from '../../kernel/db/index.ts'
import { Person, type Level, type PlaceName, type Trees } from './rights-people.ts'
import { TreeWatch } from './rights-trees.ts'
import { openSite, PASSWORD, type Site } from './sites.ts'

export const GROUP = 1
const ALIAS = 'Vault'
/** A running server has read every account anew by then. */
const SEEN_MS = 2_500

export interface Dice {
  below(count: number): number
  oneOf<T>(items: readonly [T, ...T[]]): T
  /** Ten hexadecimal digits that never come again. */
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
    token: () => `${below(0x1_0000).toString(16).padStart(4, '0')}${(made++).toString(16).padStart(6, '0')}`,
  }
}

/** An account, whose rights and files are dealt again and again. */
interface Member {
  readonly account: string
  readonly userId: string
  readonly dav: Mount
  /** Of the virtual directory. */
  readonly isReadOnly: boolean
  readonly known: Set<string>
  readonly home: TreeWatch
  readonly mount: TreeWatch
}

export interface RightsSite extends AsyncDisposable {
  readonly site: Site
  /** Gives everyone random rights and rules, and all places new files. */
  deal(): Promise<readonly Person[]>
  /** The places of a person as they were when somebody last looked at them. */
  seen(person: Person): Trees
  look(person: Person): Trees
  /** Takes over what the rules of all people have become since: they follow what others move. */
  readRules(): Promise<void>
}

/** Where a path of the home leads. */
export function placeOfPath(groupId: number, at: string): PlaceName {
  if (groupId !== 0) return 'group'
  return at === `/${ALIAS}` || at.startsWith(`/${ALIAS}/`) ? 'mount' : 'home'
}

/** A server with people, each with a home and a virtual directory, and one group of all of them. */
export async function openRightsSite(dice: Dice, count: number): Promise<RightsSite> {
  const site = await openSite()
  const elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-rights-'))
  const run = async (words: string): Promise<void> => {
    if ((await site.cli(words)) !== 0) throw new Error(site.printed())
  }
  await run('group add Team')
  await run(`storage add --name Elsewhere --kind local --folder ${elsewhere}/files`)
  const database = connectDatabase(`sqlite:${path.join(site.data, 'godwit.db')}`)
  const { db } = database
  const members: Member[] = []
  for (let at = 0; at < count; at++) {
    members.push(await addMember(site, { dice, db, elsewhere, account: `person${at}`, run }))
  }
  // Each waits until the server has heard of it.
  await Promise.all(members.map((member) => run(mountOf(member))))
  const group = new TreeWatch(path.join(site.data, `files/groups/${GROUP}`), '')
  let people: ReadonlyMap<Person, Member> = new Map()
  const memberOf = (person: Person): Member => {
    const member = people.get(person)
    if (member === undefined) throw new Error(`rights of before: ${person.account}`)
    return member
  }
  const treesOf = (person: Person, see: (watch: TreeWatch) => Trees[PlaceName]): Trees => {
    const { home, mount } = memberOf(person)
    return { home: see(home), mount: see(mount), group: see(group) }
  }
  const look = (person: Person): Trees => treesOf(person, (watch) => watch.look())
  return {
    site,
    look,
    seen: (person) => treesOf(person, (watch) => watch.tree),
    async deal() {
      // What they could see until now, they may find in histories later.
      for (const person of people.keys()) person.hidden(look(person))
      const watches = [group, ...members.flatMap(({ home, mount }) => [home, mount])]
      for (const { root } of watches) fillTree(dice, root)
      const dealt = new Map<Person, Member>()
      for (const member of members) dealt.set(await dealTo(member, dice, db), member)
      people = dealt
      await new Promise((resolve) => setTimeout(resolve, SEEN_MS))
      for (const person of people.keys()) person.hidden(look(person))
      return [...people.keys()]
    },
    async readRules() {
      const rows = await db.selectFrom('users').select(['account', 'file_rules']).execute()
      const texts = new Map(rows.map(({ account, file_rules: text }) => [account, text]))
      for (const person of people.keys()) person.follow(texts.get(person.account) ?? '{}')
    },
    async [Symbol.asyncDispose]() {
      await database.close()
      await site[Symbol.asyncDispose]()
      fs.rmSync(elsewhere, { recursive: true, force: true })
    },
  }
}

interface Newcomer {
  readonly dice: Dice
  readonly db: Db
  readonly elsewhere: string
  readonly account: string
  readonly run: (words: string) => Promise<void>
}

/** Signs in with all rights first: rights that are too few for a token would keep the drive shut. */
async function addMember(site: Site, { dice, db, elsewhere, account, run }: Newcomer): Promise<Member> {
  await site.addUser(account)
  await db.updateTable('users').set({ password_hash: QUICK_HASH }).where('account', '=', account).execute()
  const { id } = await db.selectFrom('users').select('id').where('account', '=', account).executeTakeFirstOrThrow()
  const dav = await mountAs(site, account)
  await site.call(dav.session, 'list', { folder: '/' })
  const isReadOnly = dice.below(3) === 0
  await run(`group member --group ${GROUP} --account ${account}`)
  return {
    ...{ account, userId: id, dav, isReadOnly, known: new Set() },
    home: new TreeWatch(site.home(account), '', ALIAS),
    mount: new TreeWatch(path.join(elsewhere, 'files', account), `/${ALIAS}`),
  }
}

function mountOf({ account, isReadOnly }: Member): string {
  return `mount add ${ALIAS} --account ${account} --storage 2 --folder ${account}${isReadOnly ? ' --read-only' : ''}`
}

/** Of the password that all have: the usual cost would take most of the time until the first attempt. */
const QUICK_HASH = quickHash()

function quickHash(): string {
  const nonce = Buffer.alloc(16, 1)
  const cost = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 }
  const tag = argon2Sync('argon2id', { message: Buffer.from(PASSWORD), nonce, ...cost })
  const text = (data: Buffer): string => data.toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${text(nonce)}$${text(tag)}`
}

async function dealTo({ account, userId, dav, isReadOnly, known }: Member, dice: Dice, db: Db): Promise<Person> {
  const rules = randomLevel(dice)
  const [permission, inGroup] = [randomFlags(dice), randomFlags(dice)]
  const change = { permission, file_rules: JSON.stringify(rules) }
  await db.updateTable('users').set(change).where('id', '=', userId).execute()
  await db.updateTable('group_members').set({ permission: inGroup }).where('user_id', '=', userId).execute()
  const readOnly = PERMISSION.list | PERMISSION.download
  const world = (flags: number, caps: readonly number[] = []): NaiveWorld => ({
    given: [{ prefix: '/', flags, mayView: false }],
    caps,
    levels: [rules],
    isAdministrator: false,
  })
  const worlds = {
    home: world(permission),
    mount: world(permission, isReadOnly ? [readOnly] : []),
    group: world(inGroup),
  }
  return new Person({ account, dav, known, rules, worlds })
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

/** In the place of what is there, except for the name that holds the place of the virtual directory. */
function fillTree(dice: Dice, root: string): void {
  fs.mkdirSync(root, { recursive: true })
  const old = fs.readdirSync(root).filter((name) => name !== ALIAS)
  for (const name of old) fs.rmSync(path.join(root, name), { recursive: true })
  for (const folder of ['', 'a', 'b', 'a/a', 'a/b', 'b/a', 'b/b', `a/b/x${dice.token()}`]) {
    fs.mkdirSync(path.join(root, folder), { recursive: true })
    for (let at = 0; at < 2; at++) fs.writeFileSync(path.join(root, folder, randomName(dice)), randomContent(dice))
  }
}
