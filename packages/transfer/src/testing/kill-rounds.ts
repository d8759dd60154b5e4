import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MiB, type Random } from '@godwit/base'
import { GwtProgram } from './programs.ts'

/** Slow enough that a few kills fit into one file, fast enough that a round takes seconds. */
const RATE_MBIT = 160
const FILE_MIB = 40
/** Small files beside the large one: with them a kill may hit the moment between bytes and names. */
const SMALL_FILES = 2000
const SMALL_BYTES = 4096
/** Progress comes every 200 ms: what moved since is not known to a killed program. */
const UNSEEN_BYTES = (RATE_MBIT / 8) * 1e6 * 0.2

export interface KillReport {
  readonly kills: number
  readonly isIntact: boolean
  /** File bytes that crossed the network more than once, for each kill; what no report saw is counted in full. */
  readonly repeatedPerKill: number
  /** Part files and journals left in the folder. */
  readonly leftovers: readonly string[]
}

/** One transfer during which either side is killed at random moments; the killed side is started again at once. */
export async function killRound(random: Random, kills: number): Promise<KillReport> {
  const folder = await mkdtemp(join(tmpdir(), 'gwt-kill-'))
  const sides = new Sides(folder)
  try {
    const files = await writeSource(join(folder, 'source'), random)
    await sides.startReceiver(0)
    sides.startSender()
    let done = 0
    for (; done < kills && sides.sender.isRunning; done++) {
      const before = sides.sender.progress('bytesDone')
      await sides.untilMoving(before, draw(random, 700))
      if (!sides.sender.isRunning) break
      if (draw(random, 2) === 0) await sides.killSender()
      else await sides.killReceiver()
    }
    await sides.sender.named('done')
    sides.countSender()
    const copied = await readFolder(join(folder, 'in/source'))
    const isIntact = [...files].every(([name, bytes]) => copied.get(name)?.equals(bytes) === true)
    const total = [...files.values()].reduce((sum, { length }) => sum + length, 0)
    const others = (await readdir(join(folder, 'in'))).filter((name) => name !== 'source')
    return {
      kills: done,
      isIntact,
      repeatedPerKill: done === 0 ? 0 : (sides.moved - total) / done + UNSEEN_BYTES,
      leftovers: [...others, ...[...copied.keys()].filter((name) => !files.has(name))],
    }
  } finally {
    await sides.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function writeSource(folder: string, random: Random): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map([['large.bin', random.fill(new Uint8Array(FILE_MIB * MiB))]])
  for (let index = 0; index < SMALL_FILES; index++) {
    files.set(`small${index}`, random.fill(new Uint8Array(SMALL_BYTES)))
  }
  await mkdir(folder)
  for (const [name, bytes] of files) await writeFile(join(folder, name), bytes)
  return files
}

async function readFolder(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const names = await readdir(folder)
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)))
}

class Sides {
  readonly #folder: string
  #port = 0
  receiver: GwtProgram | undefined
  #sender: GwtProgram | undefined
  /** Bytes that programs which are gone now reported as moved. */
  moved = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  get sender(): GwtProgram {
    if (this.#sender === undefined) throw new Error('no sender yet')
    return this.#sender
  }

  async startReceiver(port: number): Promise<void> {
    const words = ['recv', join(this.#folder, 'in'), '--host', '127.0.0.1', '--port', String(port)]
    this.receiver = new GwtProgram(words)
    this.#port = Number((await this.receiver.named('listening'))['port'])
  }

  startSender(): void {
    const target = `127.0.0.1:${this.#port}`
    this.#sender = new GwtProgram(['send', join(this.#folder, 'source'), target, '--rate', `${RATE_MBIT}M`])
  }

  /** Waits until bytes flow, then a little more. */
  async untilMoving(before: number, moreMs: number): Promise<void> {
    while (this.sender.isRunning && this.sender.progress('bytesDone') <= before) await sleep(20)
    await sleep(moreMs)
  }

  async killSender(): Promise<void> {
    await this.sender.stop()
    this.countSender()
    this.startSender()
  }

  async killReceiver(): Promise<void> {
    await this.receiver?.stop()
    await this.startReceiver(this.#port)
  }

  /** A sender that outlives its receiver begins a new count with each connection. */
  countSender(): void {
    let last = 0
    for (const event of this.sender.events) {
      const moved = event.event === 'progress' ? Number(event['bytesMoved']) : undefined
      if (moved === undefined) continue
      if (moved < last) this.moved += last
      last = moved
    }
    this.moved += last
  }

  async stop(): Promise<void> {
    await this.#sender?.stop()
    await this.receiver?.stop()
  }
}

function draw(random: Random, below: number): number {
  const [low = 0, high = 0] = random.fill(new Uint8Array(2))
  return (low + high * 256) % below
}
