import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, release, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Cell, fileMegabytes, GOLDEN, nameOf, parseCell } from './cells.ts'
import { build, raiseLine } from './line.ts'
import { hashFile, measure, type Measurement } from './measure.ts'
import { GODWIT_METHODS } from './godwit-methods.ts'
import { emptyFolder, type Method, PLAIN_METHODS } from './methods.ts'
import { type CellResult, costTable, medianOf, sharesSvg, shareTable } from './report.ts'

const METHODS: readonly Method[] = [...GODWIT_METHODS, ...PLAIN_METHODS]

const HELP = `npm run bench:wan -- [options]     needs root, gcc, g++, nginx, curl, ngtcp2, rsync, libudt-dev, uftp

One emulated line for all methods; a real file, its hash compared at the other end.
  --cells LIST      Mbit/s:ms:% separated by commas, or "golden" (default)
  --methods LIST    ${METHODS.map(({ name }) => name).join(',')} (default: all)
  --runs N          runs of each; the median counts (1)
  --megabytes N     file size; default by rate: 250, 500 or 1500
  --cap SECONDS     a copy that takes longer is stopped and counted by what arrived (60)
  --normal-priority not in the real-time class (needs chrt otherwise), where all methods run alike
  --save            writes bench/baseline/wan.json, wan.md and wan.svg; cells not measured now stay as they are
`
/** A line that stood still for more than this share of the time was no line. */
const MAX_PAUSED = 0.01
const BASELINE = join(import.meta.dirname, '../../baseline')

const { values } = parseArgs({
  options: {
    cells: { type: 'string', default: 'golden' },
    methods: { type: 'string', default: METHODS.map(({ name }) => name).join(',') },
    runs: { type: 'string', default: '1' },
    megabytes: { type: 'string' },
    cap: { type: 'string', default: '60' },
    save: { type: 'boolean', default: false },
    'normal-priority': { type: 'boolean', default: false },
    inner: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(HELP)
else if (values['normal-priority'] || values.inner) await main()
else process.exitCode = again()

/** Runs this program once more in the real-time class, with all it starts: other work on the machine then costs nobody packets. */
function again(): number {
  const words = ['-r', '1', process.execPath, import.meta.filename, ...process.argv.slice(2), '--inner']
  return spawnSync('chrt', words, { stdio: 'inherit' }).status ?? 1
}

async function main(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'godwit-wan-'))
  try {
    const cells = values.cells === 'golden' ? GOLDEN : values.cells.split(',').map(parseCell)
    const methods = values.methods.split(',').map(methodNamed)
    const programs = await buildPrograms(work, methods)
    const results: CellResult[] = []
    for (const cell of cells) results.push(...(await runCell({ work, cell, methods, programs })))
    process.stdout.write(`\n${shareTable(results)}\n\n${costTable(results)}\n`)
    if (values.save) save(results)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function methodNamed(name: string): Method {
  const found = METHODS.find((method) => method.name === name)
  if (found === undefined) throw new Error(`no method ${name}`)
  return found
}

interface Programs {
  readonly link: string
  readonly udt: string | undefined
}

async function buildPrograms(work: string, methods: readonly Method[]): Promise<Programs> {
  const link = await build('gcc', 'wan-link.c', { out: join(work, 'wan-link'), flags: ['-Wall'] })
  if (!methods.some(({ name }) => name === 'udt')) return { link, udt: undefined }
  return {
    link,
    udt: await build('g++', 'udt-copy.cpp', { out: join(work, 'udt-copy'), flags: ['-ludt', '-lpthread'] }),
  }
}

async function runCell(job: {
  work: string
  cell: Cell
  methods: readonly Method[]
  programs: Programs
}): Promise<CellResult[]> {
  const megabytes = values.megabytes === undefined ? fileMegabytes(job.cell) : Number(values.megabytes)
  const source = makeSource(join(job.work, 'source'), megabytes)
  const sourceHash = await hashFile(source.path)
  const results: CellResult[] = []
  for (const method of job.methods) {
    const runs: Measurement[] = []
    for (let run = 0; run < Number(values.runs); run++) {
      const one = await runOnce(job, method, { source, sourceHash, bytes: megabytes * 1_000_000, seed: run + 1 })
      if (one !== undefined) runs.push(one)
    }
    if (runs.length === 0) continue
    const result = medianOf(runs)
    results.push(result)
    const steady = result.steadyShare?.toFixed(3) ?? '-'
    process.stdout.write(
      `${nameOf(job.cell).padEnd(14)} ${method.name.padEnd(13)} whole ${result.wholeShare.toFixed(3)} steady ${steady} ` +
        `${result.wholeMbit.toFixed(1)} Mbit/s ${result.cpuSecondsPerGbit.toFixed(2)} CPU s/Gbit ${result.memoryMiB.toFixed(0)} MiB ` +
        `line x${result.lineBytesPerByte.toFixed(3)}${result.isCpuBound ? ' CPU-bound' : ''}${result.isComplete ? '' : ' incomplete'}\n`,
    )
  }
  return results
}

async function runOnce(
  job: { work: string; cell: Cell; programs: Programs },
  method: Method,
  file: { source: Source; sourceHash: string; bytes: number; seed: number },
): Promise<Measurement | undefined> {
  const line = await raiseLine(job.programs.link, job.cell, { name: `gwt-${process.pid}`, seed: file.seed })
  const target = join(job.work, 'target')
  const scratch = join(job.work, 'scratch')
  emptyFolder(target)
  emptyFolder(scratch)
  try {
    const arena = {
      line,
      cell: job.cell,
      sourceFolder: file.source.folder,
      sourceName: file.source.name,
      bytes: file.bytes,
      target,
      scratch,
      udtProgram: job.programs.udt,
    }
    const one = await measure(method, arena, { capSeconds: Number(values.cap), sourceHash: file.sourceHash })
    if (one.labFaults === 0 && one.pausedShare <= MAX_PAUSED) return one
    process.stdout.write(
      `${nameOf(job.cell)} ${method.name}: run dropped, for this machine lost ${one.labFaults} packets ` +
        `and let the line stand still ${(one.pausedShare * 100).toFixed(1)} % of the time\n`,
    )
    return undefined
  } finally {
    await line.down()
  }
}

interface Source {
  readonly folder: string
  readonly name: string
  readonly path: string
}

/** Random bytes: nothing on the way can compress them. */
function makeSource(folder: string, megabytes: number): Source {
  const name = `source-${megabytes}`
  const path = join(folder, name)
  mkdirSync(folder, { recursive: true })
  const block = randomBytes(1_000_000)
  writeFileSync(path, '')
  for (let index = 0; index < megabytes; index++) {
    block.writeUInt32LE(index, 0)
    writeFileSync(path, block, { flag: 'a' })
  }
  return { folder, name, path }
}

/** Merges with what is there: a subset of cells or methods renews only itself. */
function save(results: readonly CellResult[]): void {
  mkdirSync(BASELINE, { recursive: true })
  const file = join(BASELINE, 'wan.json')
  const old = readOld(file)
  const isRenewed = (one: CellResult): boolean =>
    results.some((fresh) => fresh.method === one.method && nameOf(fresh.cell) === nameOf(one.cell))
  const order = new Map(METHODS.map(({ name }, index) => [name, index]))
  const all = [...old.filter((one) => !isRenewed(one)), ...results].toSorted(
    (a, b) =>
      a.cell.rateMbit - b.cell.rateMbit ||
      a.cell.rttMs - b.cell.rttMs ||
      a.cell.lossPercent - b.cell.lossPercent ||
      (order.get(a.method) ?? 0) - (order.get(b.method) ?? 0),
  )
  const machine = `${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}, Linux ${release()}, Node ${process.version}`
  writeFileSync(file, `${JSON.stringify({ machine, results: all }, undefined, 2)}\n`)
  writeFileSync(join(BASELINE, 'wan.svg'), sharesSvg(all))
  writeFileSync(join(BASELINE, 'wan.md'), describe(machine, all))
}

function readOld(file: string): CellResult[] {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { results: CellResult[] }).results
  } catch {
    // The first run has no baseline.
    return []
  }
}

function describe(machine: string, results: readonly CellResult[]): string {
  return `# A file over an emulated long line

${machine}; sender, receiver and emulator share them, all of them in the real-time class. Columns are Mbit/s : RTT ms : loss % (both directions, before the
bottleneck; queue 1 BDP, at least 64 KiB). Figures are shares of rate x 0.956: whole file on disk and verified with the
programs' start-up / steady from the fifth second on. \`c\`: a core was over 90 % busy, the figure is about the processor.
\`*\`: stopped after the cap, counted by what arrived. Mainline \`bbr\` is BBRv1. uftp is told 95 % of the line's rate; nobody else is.
Files are 250, 500 and 1500 MB at 100, 200 and 1000 Mbit/s. gwt encrypts, hashes each block and has flushed the file to disk before it
says that it is done; curl and nginx do none of that. A run counts only when this machine lost no packet by itself and, since that is
watched (all runs of gwt and tcp-bbr), let the line stand still for less than 1 % of the time.

${shareTable(results)}

${costTable(results)}
`
}
