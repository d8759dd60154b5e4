import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MiB, type Random } from '@godwit/base'
import { GwtProgram } from './programs.ts'

/** Slow enough that a few kills fit into one file, fast enough that a round takes seconds. */
const RATE_MBIT = 160
const FILE_MIB = 48
const CODE = 'kill-test'
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
    const bytes = random.fill(new Uint8Array(FILE_MIB * MiB))
    await writeFile(join(folder, 'source.bin'), bytes)
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
    const names = await readdir(join(folder, 'in'))
    const copy = await readFile(join(folder, 'in', 'source.bin'))
    return {
      kills: done,
      isIntact: Buffer.compare(copy, bytes) === 0,
      repeatedPerKill: done === 0 ? 0 : (sides.moved - bytes.length) / done + UNSEEN_BYTES,
      leftovers: names.filter((name) => name !== 'source.bin'),
    }
  } finally {
    await sides.stop()
    await rm(folder, { recursive: true, force: true })
  }
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
    const words = ['recv', join(this.#folder, 'in'), '--host', '127.0.0.1', '--port', String(port), '--code', CODE]
    this.receiver = new GwtProgram(words)
    this.#port = Number((await this.receiver.named('listening'))['port'])
  }

  startSender(): void {
    const target = `127.0.0.1:${this.#port}`
    this.#sender = new GwtProgram([
      'send',
      join(this.#folder, 'source.bin'),
      target,
      '--code',
      CODE,
      '--rate',
      `${RATE_MBIT}M`,
    ])
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
