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

function addAccounts(work: string, data: string): readonly string[] {
  const password = join(work, 'password')
  writeFileSync(password, PASSWORD)
  return Array.from({ length: Math.ceil(Number(values.clients) / PER_ACCOUNT) }, (_, at) => {
    const account = `crowd${at}`
    const words = ['user', 'add', '--account', account, '--password-file', password, '--data', data]
    const { status, stderr } = spawnSync(process.execPath, [SERVER, ...words], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`no account: ${stderr}`)
    return account
  })
}

interface Crowd {
  readonly work: string
  readonly line: Line
  readonly site: Site
  readonly accounts: readonly string[]
  readonly source: string
}

async function runCrowd({ work, line, site, accounts, source }: Crowd) {
  const count = Number(values.clients)
  const pid = pidOf(site.server)
  const idleMiB = residentMiB(pid)
  const from = join(work, 'from')
  mkdirSync(from)
  const transfers = Array.from({ length: count }, (_, at) => {
    const path = join(from, `${at}.bin`)
    linkSync(source, path)
    return { account: accounts[at % accounts.length] ?? '', path }
  })
  const crowds = Array.from({ length: PROCESSES }, (_, at) => {
    const plan = join(work, `plan-${at}.json`)
    const own = transfers.filter((_one, index) => index % PROCESSES === at)
    writeFileSync(plan, JSON.stringify({ url: site.url, password: PASSWORD, transfers: own }))
    return new CrowdProcess(line.a, plan)
  })
  await Promise.all(crowds.map((crowd) => crowd.ready))
  let peakMiB = 0
  let middle: readonly number[] | undefined
  const total = count * Number(values.megabytes) * 1e6
  const usage = watchUsage([pid])
  const begun = performance.now()
  for (const crowd of crowds) crowd.start()
  const timer = setInterval(() => {
    peakMiB = Math.max(peakMiB, residentMiB(pid))
    const moved = crowds.flatMap((crowd) => crowd.moved)
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
  }
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
