import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { MiB, RangeSet, secureRandom, systemClock } from '@godwit/base'
import { encodePassword } from '@godwit/contract'
import { launchGodwit, type Godwit } from '@godwit/testkit'
import { runCli } from '../cli/run.ts'
import { ledgerFaults } from './ledger.ts'
import { setTrap, TRACED_ENV, type Point } from './traced-threads.ts'

/** What an upload was at a kill, by its caller and by the server that came after. */
export interface KillReport {
  readonly wasHit: boolean
  /** Everything that must not be; empty when all is well. */
  readonly faults: readonly string[]
}

interface Answered {
  /** Parts that were acknowledged. */
  readonly acknowledged: RangeSet
  uploadId: string | undefined
  isComplete: boolean
  isPackStored: boolean
}

const PART = MiB
const SIZE = 3 * MiB + 77

/** One server after the other over the same data: each is killed at one call, and looked at by the next. */
export class KilledServers implements AsyncDisposable {
  readonly #data = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-kill-'))
  #server: Godwit | undefined
  #token = ''
  #turn = 0

  /** Uploads a file in parts and a pack while the trap is set; then starts anew and looks. */
  async killAt(point: Omit<Point, 'effect'>): Promise<KillReport> {
    const server = await this.#started()
    // A first file wakes every thread and makes the folders.
    await this.#pack([`warm-${this.#turn}`])
    const turn = this.#turn++
    const answered: Answered = {
      acknowledged: new RangeSet(),
      uploadId: undefined,
      isComplete: false,
      isPackStored: false,
    }
    let wasHit: boolean
    {
      await using trap = await setTrap(server.pid, { ...point, effect: 'signal=SIGKILL' })
      await this.#upload(turn, answered).catch((thrown: unknown) => {
        // The connection ends with the server; an answer that refuses is a finding.
        if (!(thrown instanceof TypeError || thrown instanceof SyntaxError)) throw thrown
      })
      wasHit = await isDead(server)
      if (!wasHit && trap.wasHit()) throw new Error('a trap was hit and killed nobody')
    }
    if (wasHit) {
      await server.end('SIGKILL')
      this.#server = undefined
    }
    return { wasHit, faults: await this.#look(turn, answered) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.end('SIGTERM')
    fs.rmSync(this.#data, { recursive: true, force: true })
  }

  async #started(): Promise<Godwit> {
    if (this.#server !== undefined) return this.#server
    this.#server = await launchGodwit({ data: this.#data, env: TRACED_ENV })
    if (this.#token === '') {
      const { account, password } = this.#server.administrator
      const { data } = await this.#ask('POST', '/api/user/login', {
        json: { account, password: encodePassword(password) },
      })
      this.#token = String(data['token'])
    }
    return this.#server
  }

  async #upload(turn: number, answered: Answered): Promise<void> {
    const json = { folder: '/', filename: `file-${turn}`, size: SIZE, partSize: PART, resume: false }
    answered.uploadId = String((await this.#ask('POST', '/api/uploads', { json })).data['uploadId'])
    await this.#finish(turn, answered, new RangeSet())
    await this.#pack(packNames(turn))
    answered.isPackStored = true
  }

  async #finish(turn: number, answered: Answered, durable: RangeSet): Promise<void> {
    const content = contentOf(`file-${turn}`, SIZE)
    for (let at = 0; at < SIZE; at += PART) {
      const bytes = content.subarray(at, at + PART)
      if (durable.has(at, at + bytes.length)) continue
      await this.#ask('PUT', `/api/uploads/${answered.uploadId}/parts/${at}`, { bytes })
      answered.acknowledged.add(at, at + bytes.length)
    }
    await this.#ask('POST', `/api/uploads/${answered.uploadId}/complete`, { json: {} })
    answered.isComplete = true
  }

  async #pack(names: readonly string[]): Promise<void> {
    const frames = names.flatMap((name) => {
      const header = Buffer.from(JSON.stringify({ relativePath: name, size: 5_000 }))
      const length = Buffer.alloc(4)
      length.writeUInt32BE(header.length)
      return [length, header, contentOf(name, 5_000)]
    })
    await this.#ask('POST', '/api/uploads/pack?folder=%2F', { bytes: Buffer.concat(frames) })
  }

  /** What the next server has of an upload; what was not complete is finished first. */
  async #look(turn: number, answered: Answered): Promise<string[]> {
    await this.#started()
    const faults: string[] = []
    const home = path.join(this.#data, 'files/users/admin')
    const check = async (name: string, size: number, mustBeThere: boolean): Promise<void> => {
      const wanted = contentOf(name, size)
      const isThere = fs.existsSync(path.join(home, name))
      if (mustBeThere && !isThere) faults.push(`${name} was answered as stored and is not there`)
      if (!isThere) return
      if (!fs.readFileSync(path.join(home, name)).equals(wanted)) faults.push(`${name} is shown half`)
      const answer = await fetch(`${this.#url()}/api/files/content?path=/${name}`, { headers: this.#headers() })
      if (!Buffer.from(await answer.arrayBuffer()).equals(wanted)) faults.push(`${name} is shown and cannot be read`)
    }
    await check(`file-${turn}`, SIZE, answered.isComplete)
    for (const name of packNames(turn)) await check(name, 5_000, answered.isPackStored)
    if (answered.uploadId !== undefined && !answered.isComplete) {
      const { data } = await this.#ask('GET', `/api/uploads/${answered.uploadId}`)
      const ranges = data['ranges'] as ReadonlyArray<readonly [number, number]>
      const durable = new RangeSet(ranges.map(([start, end]) => ({ start, end })))
      const isOpen = data['state'] === 'open'
      for (const { start, end } of isOpen ? answered.acknowledged.toArray() : []) {
        if (!durable.has(start, end)) faults.push(`acknowledged bytes ${start} to ${end} are lost`)
      }
      if (isOpen) await this.#finish(turn, answered, durable)
      else if (data['state'] !== 'completed') faults.push(`the upload is ${String(data['state'])}`)
      await check(`file-${turn}`, SIZE, true)
    }
    const removed = { bytes: 0, names: new Set<string>() }
    faults.push(...ledgerFaults({ data: this.#data, account: 'admin', removed }))
    faults.push(...(await this.#verify()))
    return faults
  }

  /** Database and storage agree. */
  async #verify(): Promise<string[]> {
    let printed = ''
    const code = await runCli(['verify', '--all'], {
      stdout: (text) => void (printed += text),
      stderr: (text) => void (printed += text),
      environment: { GODWIT_DATA: this.#data },
      clock: systemClock,
      random: secureRandom,
      signal: new AbortController().signal,
    })
    const isClean = code === 0 && printed.includes(' 0 changed from outside')
    return isClean ? [] : [printed]
  }

  #url(): string {
    return this.#server?.url ?? ''
  }

  #headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#token}` }
  }

  async #ask(method: string, where: string, { json, bytes }: { json?: unknown; bytes?: Buffer<ArrayBuffer> } = {}) {
    const answer = await fetch(this.#url() + where, {
      method,
      headers: { ...this.#headers(), ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
      body: bytes ?? (json === undefined ? null : JSON.stringify(json)),
    })
    const envelope = (await answer.json()) as { readonly code: number; readonly data: Record<string, unknown> }
    if (envelope.code !== 200) throw new Error(`${method} ${where}: ${JSON.stringify(envelope)}`)
    return envelope
  }
}

function packNames(turn: number): string[] {
  return [`pack-${turn}-a`, `pack-${turn}-b`]
}

/** Bytes that only a file of this name has. */
function contentOf(name: string, size: number): Buffer<ArrayBuffer> {
  return Buffer.from(createHash('shake256', { outputLength: size }).update(name).digest())
}

/** A killed process may take a moment to go. */
async function isDead({ pid }: Godwit): Promise<boolean> {
  for (let look = 0; look < 20; look++) {
    if (!fs.existsSync(`/proc/${pid}`) || /State:\s+[ZX]/.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8')))
      return true
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return false
}
