import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { parseCell } from './cells.ts'
import { GWT } from './gwt-program.ts'
import { build, HOST_B, raiseLine } from './line.ts'

const HELP = `npm run bench:files -- [options]     needs root and gcc

Small files over an emulated line; beside it, in the same run, the same over loopback and what the disk alone does.
  --cells LIST   Mbit/s:ms:% separated by commas (1000:200:0,1000:200:1)
  --files N      files of 4 KiB (100000)
`
const FILE_BYTES = 4096
const FILES_A_FOLDER = 1000
const PORT = '32001'

const { values } = parseArgs({
  options: {
    cells: { type: 'string', default: '1000:200:0,1000:200:1' },
    files: { type: 'string', default: '100000' },
    inner: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(HELP)
else if (values.inner) await main(Number(values.files))
else {
  // In the real-time class, as all methods over the emulated line: other work on the machine then costs nobody packets.
  const words = ['-r', '1', process.execPath, import.meta.filename, ...process.argv.slice(2), '--inner']
  process.exitCode = spawnSync('chrt', words, { stdio: 'inherit' }).status ?? 1
}

async function main(files: number): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'godwit-files-'))
  try {
    writeFiles(join(work, 'source'), files)
    const link = await build('gcc', 'wan-link.c', { out: join(work, 'wan-link'), flags: ['-Wall'] })
    // Each copy is a new folder, and nothing is deleted before the end: an ext4 without a journal searches for inodes that
    // were not in use for five minutes, so that after a large deletion a new file costs ten times as much.
    for (const [index, name] of values.cells.split(',').entries()) {
      const line = await raiseLine(link, parseCell(name), { name: `gwtf${index}`, seed: 1 })
      const run = await copy({ line, source: join(work, 'source'), target: join(work, `copy${index}`) })
      await line.down()
      const rate = (files / run.seconds).toFixed(0)
      console.log(
        `${name}: ${rate} files/s, receiver ${run.receiverMiB.toFixed(0)} MiB, sender ${run.senderMiB.toFixed(0)} MiB`,
      )
    }
    spawnSync('env', [...GWT.slice(1), 'bench', '--files', String(files)], { stdio: 'inherit' })
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function writeFiles(root: string, count: number): void {
  const bytes = Buffer.alloc(FILE_BYTES)
  for (let index = 0; index < count; index++) {
    const folder = join(root, `folder${Math.floor(index / FILES_A_FOLDER)}`)
    if (index % FILES_A_FOLDER === 0) mkdirSync(folder, { recursive: true })
    bytes.write(`file ${index}`)
    writeFileSync(join(folder, `file${index}`), bytes)
  }
}

async function copy(job: { line: { a: string; b: string }; source: string; target: string }) {
  const more = ['--json']
  const receiver = inside(job.line.b, ['recv', job.target, '--port', PORT, '--once', ...more])
  const facts = factsOf(receiver)
  await facts.named('listening')
  const sent = factsOf(inside(job.line.a, ['send', job.source, `${HOST_B}:${PORT}`, ...more]))
  const [done, sender, received] = await Promise.all([sent.named('done'), sent.named('stats'), facts.named('stats')])
  if (receiver.exitCode === null) await once(receiver, 'exit')
  const mebibytes = (stats: Record<string, unknown>): number => Number(stats['peakMemoryBytes']) / 2 ** 20
  return { seconds: Number(done['seconds']), senderMiB: mebibytes(sender), receiverMiB: mebibytes(received) }
}

function inside(space: string, words: readonly string[]): ChildProcess {
  return spawn('ip', ['netns', 'exec', space, ...GWT, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** The JSON events of a program. */
function factsOf(child: ChildProcess) {
  const first = new Map<string, PromiseWithResolvers<Record<string, unknown>>>()
  const of = (name: string) => {
    const known = first.get(name) ?? Promise.withResolvers<Record<string, unknown>>()
    first.set(name, known)
    return known
  }
  if (child.stdout === null) throw new Error('a program without output')
  createInterface({ input: child.stdout })
    .on('line', (line) => {
      const fact = JSON.parse(line) as Record<string, unknown>
      of(String(fact['event'])).resolve(fact)
    })
    .on('close', () => first.forEach((one) => one.reject(new Error('gwt ended early'))))
  return { named: (name: string) => of(name).promise }
}
