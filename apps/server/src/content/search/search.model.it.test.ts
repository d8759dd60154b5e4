import fs from 'node:fs'
import path from 'node:path'
import { randomHex, secureRandom, seededRandom } from '@godwit/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../kernel/errors.ts'
import { DATABASES } from '../../testing/worlds.ts'
import { foldName } from '../access/index.ts'
import { bytes } from '../intake/testing/intake-site.ts'
import { SearchSite } from './testing/search-site.ts'

const NAMES = [
  'a',
  'Report.txt',
  'report 2.TXT',
  '文件',
  '项目文件.docx',
  'e\u0301te\u0301',
  'Ünï',
  'x.jpg',
  'long name.pdf',
]
const STEPS = 30
const WORLDS = 2

for (const { dialect, open } of DATABASES) {
  describe(`the index of names on ${dialect}`, () => {
    let site: SearchSite
    beforeAll(async () => void (site = await SearchSite.open(await open())))
    afterAll(async () => site[Symbol.asyncDispose]())

    it.each(Array.from({ length: WORLDS }, (_, at) => at))('equals the tree after any changes, world %i', async () => {
      const seed = Number.parseInt(randomHex(secureRandom, 4), 16)
      await site.nextAccount()
      fs.mkdirSync(site.pathOf(''), { recursive: true })
      const world = new RandomWorld(site, seed)
      for (let step = 0; step < STEPS; step++) await world.step()
      await site.settle()
      expect(await site.indexed(), `seed ${seed}: ${world.log.join('; ')}`).toEqual(site.walked())
      for (const text of ['REPORT', '文件', 'é', '.t', 'nothing']) {
        const found = (await site.search({ text, limit: 500 })).items.map(({ path: at }) => at).toSorted()
        const wanted = world
          .paths()
          .filter((at) => foldName(path.posix.basename(at)).includes(foldName(text)))
          .toSorted()
        expect(found, `seed ${seed}, ${text}: ${world.log.join('; ')}`).toEqual(wanted)
      }
    })
  })
}

/** Changes at random, of which some are refused, while events and folders are read at any moment. */
class RandomWorld {
  readonly log: string[] = []
  readonly #site: SearchSite
  readonly #draw: (end: number) => number

  constructor(site: SearchSite, seed: number) {
    const random = seededRandom(seed)
    this.#site = site
    this.#draw = (end) => new DataView(random.fill(new Uint8Array(8)).buffer).getUint32(0) % end
  }

  /** Everything in the account, as a person sees it. */
  paths(): string[] {
    return this.#site.walked().map((line) => line.replace(/ (Folder|File) \d+$/, ''))
  }

  async step(): Promise<void> {
    const { jobs } = this.#site
    const changes: ReadonlyArray<() => Promise<unknown>> = [
      () =>
        jobs.intake.upload(
          bytes(this.#draw(20)),
          this.#noted('upload', { relativePath: this.#newPath(), conflict: 'replace' }),
        ),
      () =>
        jobs.intake.upload(
          bytes(this.#draw(20)),
          this.#noted('upload', { relativePath: this.#newPath(), conflict: 'replace' }),
        ),
      () => this.#site.makeFolder(this.#noted('mkdir', { folder: this.#folder(), name: this.#name() })),
      () => this.#rename(),
      () => this.#transfer('move'),
      () => this.#transfer('copy'),
      () => jobs.call('remove', this.#noted('remove', { paths: [this.#any()] })),
      () => this.#restore(),
      () => this.#site.deliver(1 + this.#draw(5)),
      () => this.#site.scan(),
      () => Promise.all([this.#site.scan(), this.#site.deliver(1)]),
      () => this.#site.nextRound(),
    ]
    try {
      await changes[this.#draw(changes.length)]?.()
      await jobs.runJobs()
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      this.log.push(thrown.code)
    }
  }

  #noted<Input>(what: string, input: Input): Input {
    this.log.push(`${what} ${JSON.stringify(input)}`)
    return input
  }

  #rename(): Promise<unknown> {
    const { dir, base } = path.posix.parse(this.#any())
    const to = this.#name()
    this.#noted('rename', { dir, base, to })
    return this.#site.rename(dir, base, to)
  }

  #transfer(kind: 'move' | 'copy'): Promise<unknown> {
    const conflict = (['replace', 'keep-both', 'skip'] as const)[this.#draw(3)]
    return this.#site.jobs.call(kind, this.#noted(kind, { paths: [this.#any()], target: this.#folder(), conflict }))
  }

  async #restore(): Promise<void> {
    const { items } = (await this.#site.jobs.call('recycled', {})) as { items: ReadonlyArray<{ recycleId: string }> }
    const item = items[this.#draw(Math.max(1, items.length))]
    if (item === undefined) return
    await this.#site.jobs.call('restore', this.#noted('restore', { recycleIds: [item.recycleId] }))
  }

  #name(): string {
    return NAMES[this.#draw(NAMES.length)] ?? ''
  }

  #newPath(): string {
    return path.posix.join(this.#folder(), this.#name()).slice(1)
  }

  #any(): string {
    const all = this.paths()
    return all[this.#draw(Math.max(1, all.length))] ?? '/none'
  }

  #folder(): string {
    const all = this.paths().filter((at) =>
      fs.statSync(this.#site.pathOf(at.slice(1)), { throwIfNoEntry: false })?.isDirectory(),
    )
    return ['/', ...all][this.#draw(all.length + 1)] ?? '/'
  }
}
