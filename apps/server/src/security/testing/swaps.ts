import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { TUS } from './doors.ts'
import type { Site } from './sites.ts'
import type { Answer } from './wire.ts'

export interface SwapReport {
  readonly swaps: number
  /** Operations that met the folder and succeeded. */
  readonly succeeded: number
  /** Names that appeared outside, answers that held something from there, and errors that are none of ours. */
  readonly faults: readonly string[]
}

const SECRET = 'the secret of outside'

/** Somebody exchanges a folder and a link to the outside again and again while every kind of operation works in it (T07). */
export async function workWhileSwapped(site: Site, token: string, swaps: number): Promise<SwapReport> {
  const outside = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-outside-'))
  fs.writeFileSync(path.join(outside, 'secret'), SECRET)
  const home = site.home('admin')
  const folder = path.join(home, 'swapped')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(home, 'file'), 'a file')
  fs.writeFileSync(path.join(folder, 'mine'), 'mine')
  const work = new Work(site, token)
  let done = 0
  const lanes = Array.from({ length: 6 }, async (_, lane) => {
    for (let turn = lane; done < swaps; turn += 6) await work.once(turn)
  })
  for (; done < swaps; done++) {
    fs.renameSync(folder, path.join(home, 'aside'))
    insteadOf(folder, () => fs.symlinkSync(outside, folder))
    await breathe()
    fs.unlinkSync(folder)
    insteadOf(folder, () => fs.renameSync(path.join(home, 'aside'), folder))
    await breathe()
  }
  await Promise.all(lanes)
  const left = fs.readdirSync(outside).filter((name) => name !== 'secret')
  const isWhole = fs.readFileSync(path.join(outside, 'secret'), 'utf8') === SECRET
  fs.rmSync(outside, { recursive: true })
  const faults = [
    ...work.faults,
    ...left.map((name) => `${name} appeared outside`),
    ...(isWhole ? [] : ['the secret changed']),
  ]
  return { swaps, succeeded: work.succeeded, faults }
}

/** An upload may have made the folder anew in the instant without one. */
function insteadOf(folder: string, put: () => void): void {
  for (;;) {
    try {
      return put()
    } catch (thrown) {
      const isTaken = thrown instanceof Error && 'code' in thrown && /^(EEXIST|ENOTEMPTY)$/.test(String(thrown.code))
      if (!isTaken) throw thrown
      fs.rmSync(folder, { recursive: true, force: true })
    }
  }
}

class Work {
  readonly faults: string[] = []
  succeeded = 0
  readonly #site: Site
  readonly #token: string

  constructor(site: Site, token: string) {
    this.#site = site
    this.#token = token
  }

  async once(turn: number): Promise<void> {
    const kinds = [this.#parts, this.#pack, this.#tus, this.#reads, this.#changes]
    const answers = (await kinds[turn % kinds.length]?.call(this, turn)) ?? []
    for (const { status, code, text, body } of answers) {
      if (status >= 200 && status < 300 && (code === undefined || code === 200)) this.succeeded++
      if (status >= 500) this.faults.push(`${status} ${text.slice(0, 200)} ${this.#logged(text)}`)
      if (body.includes(SECRET)) this.faults.push('an answer held the secret')
    }
  }

  /** What the server wrote down of a request that it failed. */
  #logged(answer: string): string {
    const [, requestId] = /"requestId":"(\w+)"/.exec(answer) ?? []
    const lines = this.#site.godwit.output().split('\n')
    return requestId === undefined ? '' : lines.filter((line) => line.includes(requestId)).join('\n')
  }

  async #parts(turn: number): Promise<Answer[]> {
    return [await this.#site.upload(this.#token, `file-${turn % 50}`, Buffer.alloc(100, turn), '/swapped')]
  }

  async #pack(turn: number): Promise<Answer[]> {
    const header = Buffer.from(
      JSON.stringify({ relativePath: `swapped/deep-${turn % 50}/f`, size: 3, conflict: 'replace' }),
    )
    const length = Buffer.alloc(4)
    length.writeUInt32BE(header.length)
    const body = Buffer.concat([length, header, Buffer.from('abc')])
    return [await this.#ask({ method: 'POST', path: '/api/uploads/pack?folder=%2F', body })]
  }

  async #tus(turn: number): Promise<Answer[]> {
    const name = Buffer.from(`tus-${turn}`).toString('base64')
    const folder = Buffer.from('/swapped').toString('base64')
    const headers = { ...TUS, 'upload-length': '3', 'upload-metadata': `filename ${name},folder ${folder}` }
    const created = await this.#ask({ method: 'POST', path: '/files/uploads', headers })
    const { location } = created.headers
    if (location === undefined) return [created]
    const chunk = { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
    return [created, await this.#ask({ method: 'PATCH', path: location, headers: chunk, body: Buffer.from('abc') })]
  }

  async #reads(): Promise<Answer[]> {
    return [
      await this.#ask({ path: '/api/files/content?path=/swapped/secret' }),
      // A zip that loses an entry on its way is cut, and nobody takes it for whole.
      await this.#ask({ path: '/api/files/content?path=/swapped' }).catch(cutOff),
      await this.#call('list', { folder: '/swapped' }),
      await this.#call('attributes', { paths: ['/swapped/secret'] }),
    ].filter((answer) => answer !== undefined)
  }

  async #changes(turn: number): Promise<Answer[]> {
    return [
      await this.#call('mkdir', { folder: '/swapped', name: `folder-${turn}` }),
      await this.#call('rename', { path: '/swapped', oldName: 'secret', newName: `stolen-${turn}` }),
      await this.#call('copy', { paths: ['/file'], target: '/swapped', conflict: 'keep-both' }),
      await this.#call('remove', { paths: ['/swapped/secret'] }),
    ]
  }

  #call(operation: string, input: object): Promise<Answer> {
    return this.#site.call(this.#token, operation, input)
  }

  #ask(question: Omit<Parameters<Site['ask']>[0], 'token'>): Promise<Answer> {
    return this.#site.ask({ ...question, token: this.#token })
  }
}

function cutOff(thrown: unknown): undefined {
  const isCut = thrown instanceof Error && 'code' in thrown && thrown.code === 'ECONNRESET'
  if (!isCut) throw thrown
}
