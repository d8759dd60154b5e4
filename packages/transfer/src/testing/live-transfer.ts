import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { MiB, seededRandom, systemClock } from '@godwit/base'
import { createRateLimit, type RateCeiling } from '@godwit/transport/core'
import { connect, type Connection, type PathReport, systemMicros } from '@godwit/transport/node'
import { CLIENT_TLS, proveCode } from '../codes/code-proof.ts'
import type { TransferProgress, TransferResult } from '../engines/engine.types.ts'
import { sendFiles } from '../engines/send-engine.ts'
import type { SendTask } from '../engines/send.types.ts'
import { startDiskSource } from '../sources/disk-source.ts'
import type { FileFailure, Source } from '../sources/source.ts'
import { GwtProgram, TEST_CODE } from './programs.ts'
import { Relay } from './relay.ts'

/** No probe of a path takes as many. */
const MANY_DATAGRAMS = 1000

/** A running `gwt recv` that fills a folder of its own. */
export class Receiver {
  readonly folder: string
  readonly program: GwtProgram
  readonly host = '127.0.0.1'
  port = 0

  /** @param options more options of `gwt recv` */
  static async start(...options: readonly string[]): Promise<Receiver> {
    const receiver = new Receiver(await mkdtemp(join(tmpdir(), 'gwt-live-')), options)
    receiver.port = Number((await receiver.program.named('listening'))['port'])
    return receiver
  }

  private constructor(folder: string, options: readonly string[]) {
    this.folder = folder
    const words = ['--host', '127.0.0.1', '--port', '0', ...options]
    this.program = new GwtProgram(['recv', join(folder, 'in'), ...words])
  }

  get code(): string {
    return TEST_CODE
  }

  get pid(): number {
    return this.program.child.pid ?? 0
  }

  /** Names and contents of what has arrived. */
  async files(): Promise<Map<string, Buffer>> {
    const names = await readdir(join(this.folder, 'in'))
    return new Map(
      await Promise.all(
        names.toSorted().map(async (name) => [name, await readFile(join(this.folder, 'in', name))] as const),
      ),
    )
  }

  /** What somebody would see who looks for changes: times of every file and all that the program has said. */
  async state(): Promise<unknown> {
    const names = (await readdir(join(this.folder, 'in'))).toSorted()
    const times = await Promise.all(names.map(async (name) => (await stat(join(this.folder, 'in', name))).ctimeMs))
    return { names, times, said: this.program.events.map(({ event }) => event) }
  }

  /** Memory of the program, MiB. */
  async residentMiB(): Promise<number> {
    const status = await readFile(`/proc/${this.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
  }

  /** Processor time of the program with all its threads, seconds. */
  async cpuSeconds(): Promise<number> {
    const line = await readFile(`/proc/${this.pid}/stat`, 'utf8')
    const [user, system] = line
      .slice(line.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
    return (Number(user) + Number(system)) / 100
  }

  /** Files, sockets and pipes that the program holds open. */
  async openFiles(): Promise<number> {
    return (await readdir(`/proc/${this.pid}/fd`)).length
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program.stop()
    await rm(this.folder, { recursive: true, force: true })
  }
}

export interface LiveOptions {
  readonly name: string
  readonly seed: number
  readonly mebibytes: number
  readonly bitsPerSecond: number
}

/** What the receiver has of a transfer that ran to its end. */
export interface Ending {
  readonly failures: readonly FileFailure[]
  readonly isIntact: boolean
}

export const INTACT: Ending = { failures: [], isIntact: true }

/** A sender in this process, slow until `finish`: whatever a test does meanwhile meets a live transfer. */
export class LiveTransfer {
  readonly relay: Relay
  readonly bytes: Uint8Array
  readonly paths: PathReport[] = []
  readonly result: Promise<TransferResult>
  progress: TransferProgress | undefined
  readonly #changed = new EventTarget()
  readonly #receiver: Receiver
  readonly #name: string
  readonly #connection: Connection
  readonly #source: Source
  readonly #limit: RateCeiling

  static async start(receiver: Receiver, options: LiveOptions) {
    const bytes = distinctBytes(options)
    const source = join(receiver.folder, options.name)
    await writeFile(source, bytes)
    const relay = await Relay.open(receiver)
    const limit = createRateLimit(systemMicros(), options.bitsPerSecond)
    const { host, port } = relay
    const connection = await connect({
      host,
      port,
      tls: CLIENT_TLS,
      proof: proveCode(receiver.code),
      settings: { limit },
    })
    return new LiveTransfer({ receiver, relay, bytes, connection, limit, source })
  }

  private constructor(parts: {
    receiver: Receiver
    relay: Relay
    bytes: Uint8Array
    connection: Connection
    limit: RateCeiling
    source: string
  }) {
    this.relay = parts.relay
    this.bytes = parts.bytes
    this.#receiver = parts.receiver
    this.#name = basename(parts.source)
    this.#connection = parts.connection
    this.#limit = parts.limit
    this.#source = startDiskSource({ roots: [parts.source], filter: {} }, () => systemClock.monotonic())
    this.result = this.#send(parts.source).result
    // Handled by the code that awaits it; until then a failure must not count as unhandled.
    this.result.catch(() => undefined)
  }

  #send(source: string): SendTask {
    const events = {
      progress: (progress: TransferProgress) => {
        this.progress = progress
        this.#changed.dispatchEvent(new Event('change'))
      },
      path: (report: PathReport) => {
        this.paths.push(report)
        this.#changed.dispatchEvent(new Event('change'))
      },
    }
    return sendFiles(
      { channel: this.#connection, source: this.#source, nowMs: () => systemClock.monotonic(), events },
      {
        taskId: createHash('sha256').update(source).digest().subarray(0, 16),
        hash: 'blake3',
      },
    )
  }

  get path(): PathReport {
    return this.#connection.path
  }

  /** Bytes that the receiver has and that are verified. */
  get done(): number {
    return this.progress?.bytesDone ?? 0
  }

  /** Settles when the state is as wanted. @throws what ended the transfer before */
  async until(fits: () => boolean): Promise<void> {
    const over = this.result.then(() => Promise.reject(new Error('the transfer is over')))
    // Reported to the code that awaits it; it must not count as unhandled.
    over.catch(() => undefined)
    while (!fits()) {
      const change = new Promise((resolve) => this.#changed.addEventListener('change', resolve, { once: true }))
      await Promise.race([change, over])
    }
  }

  /** Until some more of the file has arrived. */
  async untilMoved(bytes: number): Promise<void> {
    const wanted = this.done + bytes
    await this.until(() => this.done >= wanted)
  }

  /** Until file bytes flow over UDP from now on. */
  async untilOverUdp(): Promise<void> {
    await this.until(() => this.path.mode === 'udp')
    const before = this.relay.carried.udp
    await this.until(() => this.relay.carried.udp > before + MANY_DATAGRAMS)
  }

  /** As fast as it can now, to the end. */
  async finish(): Promise<Ending> {
    this.#limit.setRate(systemMicros(), Infinity)
    const { failures } = await this.result
    const arrived = (await this.#receiver.files()).get(this.#name)
    return { failures, isIntact: arrived?.equals(this.bytes) ?? false }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#connection.close(0, 'done')
    await this.#source.close()
    await this.relay.close()
  }
}

/** One ordinary transfer, as fast as it can, from its beginning to its end. */
export async function transferWhole(receiver: Receiver, name: string, mebibytes = 4): Promise<Ending> {
  await using transfer = await LiveTransfer.start(receiver, { name, seed: 4, mebibytes, bitsPerSecond: Infinity })
  return await transfer.finish()
}

/** The same random mebibyte again and again, each with its number in front. */
function distinctBytes({ seed, mebibytes }: LiveOptions): Buffer {
  const bytes = Buffer.alloc(mebibytes * MiB, seededRandom(seed).fill(new Uint8Array(MiB)))
  for (let index = 0; index < mebibytes; index++) bytes.writeUInt32BE(index, index * MiB)
  return bytes
}
