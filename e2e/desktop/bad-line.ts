import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Direction } from '../../apps/client/src/testing/bad-days.ts'
import { RoutedNetwork } from '../../apps/client/src/testing/routed-network.ts'
import type { Cell } from '../../bench/src/wan/cells.ts'
import { build, HOST_A, HOST_B, type Line, raiseLine } from '../../bench/src/wan/line.ts'

/** Between two looks at what came through. */
const LOOK_MS = 100
const SEED = 1

/** A computer that may change its network, behind a long line with losses; the server stands in the network of the test. */
export class BadLine implements AsyncDisposable {
  readonly network: RoutedNetwork
  readonly #line: Line
  readonly #parts: AsyncDisposableStack

  /** @param folder takes the emulator */
  static async open(folder: string, cell: Cell): Promise<BadLine> {
    await using parts = new AsyncDisposableStack()
    const emulator = await build('gcc', 'wan-link.c', { out: join(folder, 'wan-link'), flags: ['-Wall'] })
    const line = await raiseLine(emulator, cell, { name: `line-${process.pid}`, seed: SEED })
    parts.defer(async () => void (await line.down()))
    const ends = { near: { space: line.a, host: HOST_A }, far: { space: line.b, host: HOST_B } }
    const network = parts.use(await RoutedNetwork.open(ends))
    return new BadLine(network, line, parts.move())
  }

  private constructor(network: RoutedNetwork, line: Line, parts: AsyncDisposableStack) {
    this.network = network
    this.#line = line
    this.#parts = parts
  }

  /** Bytes of packets that a direction of the line was given, and those that came out of it. */
  async bytes(direction: Direction): Promise<{ readonly given: number; readonly brought: number }> {
    const { aToB, bToA } = await this.#line.counters()
    const { inBytes, outBytes } = direction === 'up' ? aToB : bToA
    return { given: inBytes, brought: outBytes }
  }

  /** Watches what comes out of a direction from now on. */
  async watch(direction: Direction, durationMs: number): Promise<Watched> {
    const looks: Look[] = []
    const begunAt = performance.now()
    while ((looks.at(-1)?.atMs ?? 0) < durationMs) {
      const { brought } = await this.bytes(direction)
      looks.push({ atMs: performance.now() - begunAt, brought })
      await sleep(LOOK_MS)
    }
    return new Watched(looks)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.disposeAsync()
  }
}

interface Look {
  readonly atMs: number
  readonly brought: number
}

/** What came out of a direction of the line, by milliseconds since the watch began. */
export class Watched {
  readonly #looks: readonly Look[]

  constructor(looks: readonly Look[]) {
    this.#looks = looks
  }

  /** Bytes a second between two instants. */
  rate(fromMs = 0, untilMs = Infinity): number {
    const inside = this.#looks.filter(({ atMs }) => atMs >= fromMs && atMs <= untilMs)
    const [first, last] = [inside[0], inside.at(-1)]
    if (first === undefined || last === undefined || first === last) throw new Error('nobody looked')
    return ((last.brought - first.brought) / (last.atMs - first.atMs)) * 1000
  }

  /** When the second began in which it was no faster than this, for the first time; Infinity when there was none. */
  slowerFrom(bytesPerSecond: number): number {
    const whole = this.#looks.filter(({ atMs }) => atMs + 1000 <= (this.#looks.at(-1)?.atMs ?? 0))
    return whole.find(({ atMs }) => this.rate(atMs, atMs + 1000) <= bytesPerSecond)?.atMs ?? Infinity
  }

  toString(): string {
    return this.#looks.map(({ atMs, brought }) => `${Math.round(atMs)} ms: ${brought}`).join(', ')
  }
}
