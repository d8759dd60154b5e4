import { createCipheriv } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { MiB, RangeSet, seededRandom, type Random } from '@godwit/base'
import { encodePassword } from '@godwit/contract'
import { launchGodwit, type Godwit } from '@godwit/testkit'

/** What the campaign found. Everything but `acknowledgedBytes` and `completed` must be 0. */
export interface CrashReport {
  /** Bytes the server had acknowledged and did not have after a crash. */
  readonly lostBytes: number
  /** Files in the visible tree that were not exactly what was uploaded. */
  readonly halfFiles: number
  /** Files that were answered as complete and were not there, or not equal. */
  readonly lostFiles: number
  readonly acknowledgedBytes: number
  readonly completed: number
}

interface Known {
  readonly id: string
  readonly number: number
  readonly name: string
  readonly size: number
  readonly carrier: 'parts' | 'tus'
  readonly acknowledged: RangeSet
  isComplete: boolean
}

export interface CrashOptions {
  readonly rounds: number
  readonly seed: number
  /** Folder for the data; a new one by default. */
  readonly data?: string
  /** Brings the machine down in the middle of traffic and up again. The default kills the process. */
  readonly crash?: (server: Godwit) => Promise<void>
}

const SIZE = 6 * MiB + 4321
const TUS_CHUNK = 700_000
const LANES = 4
/** Complete files that stay for the next crash; older ones were found whole and make room. */
const KEPT_FILES = 12

/** Bytes that only this file has, made again whenever they are compared. */
function contentOf({ number, size }: { readonly number: number; readonly size: number }): Buffer<ArrayBuffer> {
  const key = Buffer.alloc(16)
  key.writeUInt32LE(number + 1)
  return Buffer.from(createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size)))
}

/**
 * Uploads by both carriers while the server is brought down at random moments, with the record of what was acknowledged
 * kept outside of it; after each restart the server must have all of that, and show nothing that is not whole.
 */
export async function crashUploads(options: CrashOptions): Promise<CrashReport> {
  const campaign = new Campaign(options)
  try {
    return await campaign.run()
  } finally {
    await campaign.end()
  }
}

class Campaign {
  readonly #options: CrashOptions
  readonly #random: Random
  #known: Known[] = []
  #server: Godwit | undefined
  #first: Godwit | undefined
  #acknowledgedBytes = 0
  #completed = 0
  #token = ''
  #made = 0
  #lostBytes = 0
  #halfFiles = 0
  #lostFiles = 0

  constructor(options: CrashOptions) {
    this.#options = options
    this.#random = seededRandom(options.seed)
  }

  async run(): Promise<CrashReport> {
    await this.#start()
    await this.#signIn()
    for (let round = 0; round < this.#options.rounds; round++) {
      const stop = new AbortController()
      const lanes = Array.from({ length: LANES }, (_, lane) => this.#lane(lane, stop.signal))
      await new Promise((resolve) => setTimeout(resolve, 40 + this.#below(400)))
      await this.#crash()
      stop.abort()
      await Promise.all(lanes)
      await this.#start()
      await this.#check()
      this.#makeRoom()
    }
    for (const known of this.#known) await this.#finish(known, new AbortController().signal)
    await this.#check()
    return {
      lostBytes: this.#lostBytes,
      halfFiles: this.#halfFiles,
      lostFiles: this.#lostFiles,
      acknowledgedBytes: this.#acknowledgedBytes,
      completed: this.#completed,
    }
  }

  async end(): Promise<void> {
    await this.#server?.end('SIGTERM')
    await this.#first?.stop()
  }

  async #start(): Promise<void> {
    const data = this.#first?.data ?? this.#options.data
    this.#server = await launchGodwit(data === undefined ? {} : { data })
    this.#first ??= this.#server
  }

  async #crash(): Promise<void> {
    const server = this.#server
    if (server === undefined) throw new Error('no server is running')
    if (this.#options.crash === undefined) await server.end('SIGKILL')
    else await this.#options.crash(server)
  }

  async #signIn(): Promise<void> {
    const { account, password } = this.#started().administrator
    const body = { account, password: encodePassword(password) }
    const data = (await this.#call('POST', '/api/user/login', { body })) as { readonly token: string }
    this.#token = data.token
  }

  /** Uploads one file after the other until the server goes away; what was begun before goes first. */
  async #lane(lane: number, signal: AbortSignal): Promise<void> {
    try {
      for (const known of this.#known.filter((one, at) => at % LANES === lane && !one.isComplete)) {
        await this.#finish(known, signal)
      }
      for (;;) await this.#finish(await this.#begin(signal), signal)
    } catch (thrown) {
      // The connection ends with the server. Anything else is a finding.
      const isCut = signal.aborted || thrown instanceof TypeError || thrown instanceof SyntaxError
      if (!isCut) throw thrown
    }
  }

  async #begin(signal: AbortSignal): Promise<Known> {
    const number = this.#made++
    const name = `file-${number}.bin`
    const size = SIZE + number
    const body = { folder: '/', filename: name, size, partSize: MiB }
    const data = (await this.#call('POST', '/api/uploads', { body, signal })) as { readonly uploadId: string }
    const carrier: Known['carrier'] = number % 2 === 0 ? 'parts' : 'tus'
    const known = { id: data.uploadId, number, name, size, carrier, acknowledged: new RangeSet(), isComplete: false }
    this.#known.push(known)
    return known
  }

  async #finish(known: Known, signal: AbortSignal): Promise<void> {
    if (known.isComplete) return
    const { state, ranges } = await this.#status(known, signal)
    if (state === 'open') {
      const durable = new RangeSet(ranges.map(([start, end]) => ({ start, end })))
      await (known.carrier === 'parts'
        ? this.#sendParts(known, durable, signal)
        : this.#sendTus(known, durable, signal))
    }
    await this.#call('POST', `/api/uploads/${known.id}/complete`, { body: {}, signal })
    known.isComplete = true
    this.#completed++
  }

  async #sendParts(known: Known, durable: RangeSet, signal: AbortSignal): Promise<void> {
    const { id } = known
    const content = contentOf(known)
    const starts = Array.from({ length: Math.ceil(content.length / MiB) }, (_, index) => index * MiB)
    const open = starts.filter((start) => !durable.has(start, Math.min(start + MiB, content.length)))
    const send = async (start: number): Promise<void> => {
      const bytes = content.subarray(start, start + MiB)
      await this.#call('PUT', `/api/uploads/${id}/parts/${start}`, { bytes, signal })
      this.#note(known, start, bytes.length)
    }
    while (open.length > 0) {
      const ends = await Promise.allSettled(open.splice(0, 3).map(send))
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    }
  }

  async #sendTus(known: Known, durable: RangeSet, signal: AbortSignal): Promise<void> {
    const { id } = known
    const content = contentOf(known)
    for (let at = durable.prefix; at < content.length;) {
      const bytes = content.subarray(at, at + TUS_CHUNK)
      const headers = {
        'tus-resumable': '1.0.0',
        'upload-offset': String(at),
        'content-type': 'application/offset+octet-stream',
      }
      await this.#call('PATCH', `/files/uploads/${id}`, { bytes, headers, signal })
      this.#note(known, at, bytes.length)
      at += bytes.length
    }
  }

  #note({ acknowledged }: Known, start: number, length: number): void {
    acknowledged.add(start, start + length)
    this.#acknowledgedBytes += length
  }

  #makeRoom(): void {
    const complete = this.#known.filter(({ isComplete }) => isComplete)
    const old = new Set(complete.slice(0, Math.max(0, complete.length - KEPT_FILES)))
    const folder = path.join(this.#started().data, 'files/users/admin')
    for (const { name } of old) fs.rmSync(path.join(folder, name))
    // A removal that is not on the disk is undone by the next power cut, and the file would stand there unknown.
    if (old.size > 0) flushFolder(folder)
    this.#known = this.#known.filter((known) => !old.has(known))
  }

  async #check(): Promise<void> {
    const folder = path.join(this.#started().data, 'files/users/admin')
    const shown = new Set(fs.existsSync(folder) ? fs.readdirSync(folder) : [])
    for (const known of this.#known) {
      const isEqual =
        shown.delete(known.name) && fs.readFileSync(path.join(folder, known.name)).equals(contentOf(known))
      const isShown = fs.existsSync(path.join(folder, known.name))
      if (isShown && !isEqual) this.#halfFiles++
      if (known.isComplete && !isEqual) this.#lostFiles++
      if (known.isComplete) continue
      const { ranges } = await this.#status(known)
      const durable = new RangeSet(ranges.map(([start, end]) => ({ start, end })))
      for (const { start, end } of known.acknowledged.toArray()) {
        this.#lostBytes += durable.missing(start, end).reduce((bytes, gap) => bytes + gap.end - gap.start, 0)
      }
    }
    // A creation whose answer was lost may have left an upload, but never a visible file.
    this.#halfFiles += shown.size
  }

  async #status({ id }: Known, signal?: AbortSignal) {
    const data = await this.#call('GET', `/api/uploads/${id}`, signal === undefined ? {} : { signal })
    return data as { readonly state: string; readonly ranges: ReadonlyArray<readonly [number, number]> }
  }

  async #call(method: string, where: string, request: Call): Promise<unknown> {
    const answer = await fetch(this.#started().url + where, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      body: request.bytes ?? (request.body === undefined ? null : JSON.stringify(request.body)),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    })
    if (answer.status === 204) return undefined
    const envelope = (await answer.json()) as { readonly code: number; readonly data: unknown }
    if (envelope.code !== 200) throw new Error(`${method} ${where}: ${JSON.stringify(envelope)}`)
    return envelope.data
  }

  #started(): Godwit {
    if (this.#server === undefined) throw new Error('no server is running')
    return this.#server
  }

  #below(limit: number): number {
    const bytes = this.#random.fill(new Uint8Array(4))
    return Math.floor((Buffer.from(bytes).readUInt32LE() / 2 ** 32) * limit)
  }
}

interface Call {
  readonly body?: unknown
  readonly bytes?: Buffer<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

function flushFolder(folder: string): void {
  const handle = fs.openSync(folder, 'r')
  fs.fsyncSync(handle)
  fs.closeSync(handle)
}
