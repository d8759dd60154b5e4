import fs from 'node:fs'
import path from 'node:path'
import { MiB, RangeSet, seededRandom, type Random } from '@godwit/base'
import { encodePassword } from '@godwit/contract'
import { launchGodwit, type Godwit } from '@godwit/testkit'
import { bytesOf, ExpectedFiles, type Content } from './expected-files.ts'
import { ledgerFaults } from './ledger.ts'

/** What the campaign found. */
export interface CrashReport {
  /** Bytes the server had acknowledged and did not have after a crash. */
  readonly lostBytes: number
  /** Whatever must not be: a file that is half there or lost, a quota or a hash that is not what the disk holds. */
  readonly faults: readonly string[]
  readonly acknowledgedBytes: number
  readonly completed: number
  readonly packedFiles: number
}

interface Known extends Content {
  readonly id: string
  readonly name: string
  /** Who sends it, also after a crash: two that replace one file at once may end in either order. */
  readonly lane: number
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

const SIZE = 3 * MiB + 4321
const TUS_CHUNK = 700_000
const LANES = 4
/** Complete files that stay for the next crash; older ones were found whole and make room. */
const KEPT_FILES = 6
const PACK_FILES = 6
/** Packs take these names in turns and replace what is there. */
const PACK_NAMES = 20
/** Every so often a file replaces the one before it. */
const REPLACED_EVERY = 3

/**
 * Uploads by parts, tus and packs while the server is brought down at random moments, with the record of what was
 * acknowledged kept outside of it. After each restart the server must have all of that, show nothing that is not whole,
 * and have booked what is on the disk, to the byte.
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
  readonly #expected = new ExpectedFiles()
  readonly #removed = { bytes: 0, names: new Set<string>() }
  readonly #faults: string[] = []
  #known: Known[] = []
  #server: Godwit | undefined
  #first: Godwit | undefined
  #acknowledgedBytes = 0
  #completed = 0
  #packedFiles = 0
  #token = ''
  #made = 0
  #starts = 0
  #lostBytes = 0

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
      await this.#check(`after crash ${round + 1}`)
      this.#makeRoom()
    }
    for (const known of this.#known) await this.#finish(known, new AbortController().signal)
    await this.#check('at the end')
    return {
      lostBytes: this.#lostBytes,
      faults: this.#faults,
      acknowledgedBytes: this.#acknowledgedBytes,
      completed: this.#completed,
      packedFiles: this.#packedFiles,
    }
  }

  async end(): Promise<void> {
    await this.#server?.end('SIGTERM')
    await this.#first?.stop()
  }

  async #start(): Promise<void> {
    const data = this.#first?.data ?? this.#options.data
    // Every second start does without undocumented parts of Node: both ways of reading bodies must keep what is acknowledged.
    const env = { GODWIT_HTTP_NODE_INTERNALS: this.#starts++ % 2 === 0 ? 'on' : 'off' }
    this.#server = await launchGodwit({ env, ...(data !== undefined && { data }) })
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

  /** Sends one file or pack after the other until the server goes away; what was begun before goes first. */
  async #lane(lane: number, signal: AbortSignal): Promise<void> {
    try {
      if (lane === 0) for (;;) await this.#sendPack(signal)
      const begun = this.#known.filter((one) => one.lane === lane && !one.isComplete)
      for (const known of begun) await this.#finish(known, signal)
      for (;;) await this.#finish(await this.#begin(lane, signal), signal)
    } catch (thrown) {
      // The connection ends with the server. Anything else is a finding.
      const isCut = signal.aborted || thrown instanceof TypeError || thrown instanceof SyntaxError
      if (!isCut) throw thrown
    }
  }

  async #begin(lane: number, signal: AbortSignal): Promise<Known> {
    const number = this.#made++
    const isReplacing = number % REPLACED_EVERY === 0
    const name = isReplacing ? `replaced-${lane}.bin` : `file-${number}.bin`
    const size = SIZE + number
    const conflict = isReplacing ? 'replace' : 'fail'
    const body = { folder: '/', filename: name, size, partSize: MiB, conflict, resume: false }
    const data = (await this.#call('POST', '/api/uploads', { body, signal })) as { readonly uploadId: string }
    const carrier: Known['carrier'] = number % 2 === 0 ? 'parts' : 'tus'
    const acknowledged = new RangeSet()
    const known = { id: data.uploadId, lane, number, name, size, carrier, acknowledged, isComplete: false }
    this.#known.push(known)
    return known
  }

  async #finish(known: Known, signal: AbortSignal): Promise<void> {
    if (known.isComplete) return
    const { state, ranges } = await this.#status(known, signal)
    if (state === 'open') {
      const durable = new RangeSet(ranges.map(([start, end]) => ({ start, end })))
      this.#expected.tried(known.name, known)
      await (known.carrier === 'parts'
        ? this.#sendParts(known, durable, signal)
        : this.#sendTus(known, durable, signal))
    }
    await this.#call('POST', `/api/uploads/${known.id}/complete`, { body: {}, signal })
    this.#expected.acknowledged(known.name, known)
    known.isComplete = true
    this.#completed++
  }

  async #sendParts(known: Known, durable: RangeSet, signal: AbortSignal): Promise<void> {
    const { id } = known
    const content = bytesOf(known)
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
    const content = bytesOf(known)
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

  /** Files that replace those of an earlier pack. */
  async #sendPack(signal: AbortSignal): Promise<void> {
    const files = Array.from({ length: PACK_FILES }, () => {
      const number = this.#made++
      return { name: `packs/${number % PACK_NAMES}`, number, size: 3_000 + number }
    })
    for (const file of files) this.#expected.tried(file.name, file)
    const frames = files.flatMap((file) => {
      const json = { relativePath: file.name, size: file.size, conflict: 'replace' }
      const header = Buffer.from(JSON.stringify(json))
      const length = Buffer.alloc(4)
      length.writeUInt32BE(header.length)
      return [length, header, bytesOf(file)]
    })
    const bytes = Buffer.concat(frames)
    const { results } = (await this.#call('POST', '/api/uploads/pack?folder=%2F', { bytes, signal })) as {
      readonly results: ReadonlyArray<{ readonly state: string }>
    }
    for (const [index, file] of files.entries()) {
      if (results[index]?.state !== 'completed') throw new Error(`a pack was answered ${JSON.stringify(results)}`)
      this.#expected.acknowledged(file.name, file)
      this.#packedFiles++
    }
  }

  #note({ acknowledged }: Known, start: number, length: number): void {
    acknowledged.add(start, start + length)
    this.#acknowledgedBytes += length
  }

  #makeRoom(): void {
    const settled = this.#expected.settled().filter((name) => name.startsWith('file-'))
    const old = settled.slice(0, Math.max(0, settled.length - KEPT_FILES))
    for (const name of old) {
      fs.rmSync(path.join(this.#home(), name))
      this.#removed.bytes += this.#expected.forget(name)?.size ?? 0
      this.#removed.names.add(name)
    }
    // A removal that is not on the disk is undone by the next power cut, and the file would stand there unknown.
    if (old.length > 0) flushFolder(this.#home())
    this.#known = this.#known.filter(({ isComplete }) => !isComplete)
  }

  async #check(when: string): Promise<void> {
    const home = this.#home()
    for (const name of this.#expected.names()) {
      const place = path.join(home, name)
      const verdict = this.#expected.judge(name, fs.existsSync(place) ? fs.readFileSync(place) : undefined)
      if (verdict !== 'whole') this.#faults.push(`${when}: ${name} is ${verdict}`)
    }
    // A creation whose answer was lost may have left an upload, but never a visible file.
    const strangers = listed(home).filter((name) => !this.#expected.names().includes(name))
    for (const name of strangers) this.#faults.push(`${when}: ${name} was never sent`)
    const ledger = { data: this.#started().data, account: this.#started().administrator.account }
    for (const fault of ledgerFaults({ ...ledger, removed: this.#removed })) this.#faults.push(`${when}: ${fault}`)
    for (const known of this.#known.filter(({ isComplete }) => !isComplete)) await this.#checkDurable(known)
  }

  async #checkDurable(known: Known): Promise<void> {
    const { ranges } = await this.#status(known)
    const durable = new RangeSet(ranges.map(([start, end]) => ({ start, end })))
    for (const { start, end } of known.acknowledged.toArray()) {
      this.#lostBytes += durable.missing(start, end).reduce((bytes, gap) => bytes + gap.end - gap.start, 0)
    }
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

  #home(): string {
    return path.join(this.#started().data, 'files/users/admin')
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

/** All files below a folder. */
function listed(folder: string): string[] {
  if (!fs.existsSync(folder)) return []
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
}

function flushFolder(folder: string): void {
  const handle = fs.openSync(folder, 'r')
  fs.fsyncSync(handle)
  fs.closeSync(handle)
}
