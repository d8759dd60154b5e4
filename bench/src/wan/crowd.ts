import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { nameOf, parseCell } from './cells.ts'
import { startServer, type Site } from './godwit-methods.ts'
import { build, HOST_B, type Line, raiseLine } from './line.ts'
import { hashFile } from './measure.ts'
import { end, pidOf } from './methods.ts'
import { watchUsage } from './usage.ts'

const HELP = `npm run bench:crowd -- [options]     needs root and gcc

Many desktop clients at once on one server, over one emulated line: memory and processor time of the server, and how evenly they share.
  --clients N       transfers at once (200)
  --cell CELL       Mbit/s:ms:% (200:20:0.1)
  --megabytes N     of each file (4)
  --accounts LIST   instead of --clients: transfers of each account and its weight, such as 8:10,1:10,1:30, and what each account gets
                    of the line while all of them are there
`
const PROCESSES = 4
/** An account may have 20 transfers at once. */
const PER_ACCOUNT = 10
const PASSWORD = 'Longest-flight-7'
const SERVER = join(import.meta.dirname, '../../../apps/server/bin/godwit.js')

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '200' },
    cell: { type: 'string', default: '200:20:0.1' },
    accounts: { type: 'string' },
    megabytes: { type: 'string', default: '4' },
    'normal-priority': { type: 'boolean', default: false },
    inner: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

async function main(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'godwit-crowd-'))
  const cell = parseCell(values.cell)
  const link = await build('gcc', 'wan-link.c', { out: join(work, 'wan-link'), flags: ['-Wall'] })
  const line = await raiseLine(link, cell, { name: `crowd-${process.pid % 10_000}`, seed: 1 })
  let site: Site | undefined
  try {
    const source = join(work, 'source.bin')
    writeFileSync(source, randomBytes(Number(values.megabytes) * 1e6))
    const data = join(work, 'data')
    site = await startServer(line.b, HOST_B, data)
    const accounts = addAccounts(work, data)
    const figures = await runCrowd({ work, line, site, accounts, source })
    process.stdout.write(`${nameOf(cell)}: ${JSON.stringify(figures)}\n`)
  } finally {
    if (site !== undefined) await end([site.server])
    await line.down()
    rmSync(work, { recursive: true, force: true })
  }
}

interface Account {
  readonly name: string
  readonly transfers: number
  readonly weight: number
}

function accountsOf(): readonly Account[] {
  const list = values.accounts?.split(',').map((one) => one.split(':').map(Number))
  if (list !== undefined)
    return list.map(([transfers = 1, weight = 10], at) => ({ name: `crowd${at}`, transfers, weight }))
  const clients = Number(values.clients)
  const count = Math.ceil(clients / PER_ACCOUNT)
  return Array.from({ length: count }, (_, at) => ({
    ...{ name: `crowd${at}`, weight: 10 },
    transfers: Math.ceil((clients - at) / count),
  }))
}

function addAccounts(work: string, data: string): readonly Account[] {
  const password = join(work, 'password')
  writeFileSync(password, PASSWORD)
  const godwit = (...words: readonly string[]): void => {
    const { status, stderr } = spawnSync(process.execPath, [SERVER, ...words, '--data', data], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`${words.slice(0, 2).join(' ')} failed: ${stderr}`)
  }
  const accounts = accountsOf()
  for (const { name, weight } of accounts) {
    godwit('user', 'add', '--account', name, '--password-file', password)
    if (values.accounts !== undefined) godwit('settings', 'set', 'transfer.weight', String(weight), '--account', name)
  }
  return accounts
}

interface Crowd {
  readonly work: string
  readonly line: Line
  readonly site: Site
  readonly accounts: readonly Account[]
  readonly source: string
}

async function runCrowd({ work, line, site, accounts, source }: Crowd) {
  const owners = accounts.flatMap(({ name, transfers }) => Array.from({ length: transfers }, () => name))
  const count = owners.length
  const pid = pidOf(site.server)
  const idleMiB = residentMiB(pid)
  const from = join(work, 'from')
  mkdirSync(from)
  const transfers = owners.map((account, at) => {
    const path = join(from, `${at}.bin`)
    linkSync(source, path)
    return { account, path }
  })
  const plans = Array.from({ length: PROCESSES }, (_, at) =>
    transfers.filter((_one, index) => index % PROCESSES === at),
  )
  const crowds = plans.map((own, at) => {
    const plan = join(work, `plan-${at}.json`)
    writeFileSync(plan, JSON.stringify({ url: site.url, password: PASSWORD, transfers: own }))
    return new CrowdProcess(line.a, plan)
  })
  await Promise.all(crowds.map((crowd) => crowd.ready))
  let peakMiB = 0
  let middle: readonly number[] | undefined
  const seen: Array<readonly number[]> = []
  const total = count * Number(values.megabytes) * 1e6
  const usage = watchUsage([pid])
  const begun = performance.now()
  for (const crowd of crowds) crowd.start()
  const timer = setInterval(() => {
    peakMiB = Math.max(peakMiB, residentMiB(pid))
    const moved = crowds.flatMap((crowd) => crowd.moved)
    seen.push(moved)
    if (middle === undefined && moved.reduce((sum, bytes) => sum + bytes, 0) >= total / 2) middle = moved
  }, 100)
  const codes = await Promise.all(crowds.map((crowd) => crowd.over))
  const seconds = (performance.now() - begun) / 1000
  clearInterval(timer)
  const { cpuSeconds } = usage.stop()
  const wanted = await hashFile(source)
  const copies = transfers.map(({ account, path }) => join(work, 'data/files/users', account, basename(path)))
  let whole = 0
  for (const copy of copies) if ((await hashFile(copy)) === wanted) whole++
  const isGood = codes.every((code) => code === 0) && whole === count
  if (!isGood) process.exitCode = 1
  return {
    ...{ clients: count, whole, seconds: round(seconds), mbit: round((total * 8) / seconds / 1e6) },
    ...{ idleMiB: round(idleMiB), peakMiB: round(peakMiB), mibPerTransfer: round((peakMiB - idleMiB) / count) },
    ...{ cpuSecondsPerGbit: round(cpuSeconds / ((total * 8) / 1e9)), jain: round(jainOf(middle ?? [])) },
    slowestOfMean: round(Math.min(...(middle ?? [])) / (total / 2 / count)),
    ...(values.accounts !== undefined && {
      parts: partsOf(accounts, { seen, owners: plans.flat().map(({ account }) => account) }),
    }),
  }
}

interface Seen {
  /** Bytes that had moved by each transfer, look by look. */
  readonly seen: ReadonlyArray<readonly number[]>
  readonly owners: readonly string[]
}

/** What each account got, from when the fastest file was a quarter there until it was nearly whole. */
function partsOf(accounts: readonly Account[], { seen, owners }: Seen): Readonly<Record<string, number>> {
  const size = Number(values.megabytes) * 1e6
  const from = seen.find((moved) => Math.max(...moved) >= size / 4) ?? []
  const to = seen.findLast((moved) => Math.max(...moved) <= size * 0.95) ?? []
  const got = owners.map((_owner, at) => (to[at] ?? 0) - (from[at] ?? 0))
  const all = got.reduce((sum, bytes) => sum + bytes, 0)
  const partOf = (name: string): number =>
    got.reduce((sum, bytes, at) => sum + (owners[at] === name ? bytes : 0), 0) / all
  return Object.fromEntries(accounts.map(({ name }) => [name, round(partOf(name))]))
}

function residentMiB(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

/** 1: all the same; 1/n: one has everything. */
function jainOf(shares: readonly number[]): number {
  const sum = shares.reduce((all, share) => all + share, 0)
  return sum ** 2 / (shares.length * shares.reduce((all, share) => all + share ** 2, 0))
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

class CrowdProcess {
  readonly ready: Promise<void>
  readonly over: Promise<number | null>
  moved: readonly number[] = []
  readonly #child: ChildProcess

  constructor(space: string, plan: string) {
    const program = join(import.meta.dirname, 'crowd-clients.ts')
    const words = ['netns', 'exec', space, process.execPath, program, plan]
    const child = spawn('ip', words, { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#child = child
    const ready = Promise.withResolvers<void>()
    this.ready = ready.promise
    createInterface({ input: child.stdout }).on('line', (text) => {
      if (text.startsWith('ready')) ready.resolve()
      else this.moved = JSON.parse(text) as number[]
    })
    this.over = once(child, 'exit').then(([code]) => {
      ready.reject(new Error('a crowd did not begin'))
      return code as number | null
    })
  }

  start(): void {
    this.#child.stdin?.write('go\n')
  }
}

if (values.help) process.stdout.write(HELP)
else if (values.inner || values['normal-priority']) await main()
else {
  // In the real-time class, as bench:wan does: other work on the machine then costs nobody packets.
  const words = ['-r', '1', process.execPath, import.meta.filename, ...process.argv.slice(2), '--inner']
  process.exitCode = spawnSync('chrt', words, { stdio: 'inherit' }).status ?? 1
}
