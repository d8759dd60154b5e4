import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { MiB, seededRandom, systemClock } from '@godwit/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPictureCache } from '../pictures/index.ts'
import { createConversions, type Conversions, type ConversionSource } from './conversions.ts'
import { cadConverter, officeConverter } from './converters.ts'

const STAND_IN = path.join(import.meta.dirname, 'testing/soffice.sh')
const TO_PDF = path.join(import.meta.dirname, 'testing/topdf.sh')
const never = new AbortController().signal
const log = { info: () => undefined, error: () => undefined, warn: () => undefined }

let folder: string
let conversions: Conversions

function open(limitMs = 60_000): Conversions {
  const office = officeConverter(STAND_IN)
  const cad = cadConverter(`${TO_PDF} --paper a3 {in} {out}`)
  if (office === undefined || cad === undefined) throw new Error('no converter')
  return createConversions({
    converters: new Map([
      ['office', office],
      ['cad', cad],
    ] as const),
    cache: createPictureCache({
      ...{ folder: path.join(folder, 'cache'), clock: systemClock, random: seededRandom(1), log },
      limitBytes: async () => 100 * MiB,
    }),
    folder: path.join(folder, 'work'),
    hidden: [folder, '/root'],
    ...{ random: seededRandom(2), log, limitMs },
  })
}

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-conversions-'))
  conversions = open()
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

function sourceOf(content: string, given: Partial<ConversionSource> = {}): ConversionSource {
  const bytes = Buffer.from(content)
  return {
    ...{ identity: content, bytes: bytes.length, ending: 'docx', owner: 'mei' },
    async *read() {
      yield bytes
    },
    ...given,
  }
}

const textOf = async (content: string, given?: Partial<ConversionSource>, by = conversions): Promise<string> =>
  Buffer.from(await by.pdfOf('office', sourceOf(content, given), never)).toString('latin1')

describe('a conversion', () => {
  it('makes a PDF, once for each content', async () => {
    let reads = 0
    const source = sourceOf('order:plain', {
      async *read() {
        reads++
        yield Buffer.from('order:plain')
      },
    })
    const all = await Promise.all([1, 2, 3].map(() => conversions.pdfOf('office', source, never)))
    for (const pdf of all) expect(Buffer.from(pdf).toString('latin1')).toMatch(/^%PDF-1\.4[^]*in\.docx\n$/)
    await conversions.pdfOf('office', source, never)
    expect(reads).toBe(1)
    expect(fs.readdirSync(path.join(folder, 'work'))).toEqual([])
  })

  it('sees neither the network nor the files and the environment of the server; macros are off in its profile', async () => {
    const secret = path.join(folder, 'secret')
    fs.writeFileSync(secret, 'the secret of the server')
    const seen = await textOf(`order:look path:${secret} `)
    expect(seen).not.toContain('the secret')
    expect(seen).toMatch(/interfaces=(?:lo)? /)
    expect(seen).toMatch(/environment=(?:(?:HOME|LANG|OLDPWD|PATH|PWD|SHLVL|TMPDIR|_),)+ profile=1/)
  })

  it.each(['nothing', 'text', 'link', 'fail', 'disk'])(
    'that ends with %s is refused, and the next one is made',
    async (order) => {
      await expect(textOf(`order:${order}`)).rejects.toThrow('PREVIEW_UNSUPPORTED')
      expect(await textOf(`order:plain after ${order}`)).toContain('%PDF')
    },
  )

  it('is ended with all that it started when its time is over, and when nobody waits any more', async () => {
    const running = (): number => {
      const all = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
      return all.split('\n').filter((line) => line.startsWith('sleep 600.5') || line.includes(`${STAND_IN} `)).length
    }
    expect(await textOf('order:children')).toContain('children')
    await expect.poll(running).toBe(0)
    await expect(textOf('order:endless', {}, open(500))).rejects.toThrow('PREVIEW_UNSUPPORTED')
    await expect.poll(running).toBe(0)
    const leaving = new AbortController()
    const left = conversions.pdfOf('office', sourceOf('order:endless left'), leaving.signal)
    await expect.poll(running).toBeGreaterThan(0)
    leaving.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    await expect.poll(running).toBe(0)
  })

  it('is not begun for what is too large', async () => {
    await expect(textOf('x', { bytes: 51 * MiB })).rejects.toThrow('PREVIEW_UNSUPPORTED')
  })
})

describe('the command that is set for drawings', () => {
  const drawn = (order: string, ending = 'dwg', by = conversions) =>
    by.pdfOf('cad', sourceOf(`AC1027 order:${order} ${ending}`, { ending }), never)
  const running = (): boolean => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes('sleep 601.5')

  it.each(['dwg', 'ocf'])('makes a PDF of %s, with its own words and the names in their places', async (ending) => {
    const pdf = Buffer.from(await drawn('plain', ending)).toString()
    expect(pdf.startsWith('%PDF-1.4')).toBe(true)
    expect(pdf.endsWith(`% a3 of in.${ending}\n`)).toBe(true)
  })

  it.each(['fail', 'nothing', 'half', 'flood', 'html', 'svg', 'png', 'link', 'folder', 'pipe'])(
    'is refused where it ends with %s, and nothing of that stays',
    async (order) => {
      await expect(drawn(order)).rejects.toMatchObject({ code: 'PREVIEW_UNSUPPORTED' })
      expect(fs.readdirSync(path.join(folder, 'work'))).toEqual([])
      expect(Buffer.from(await drawn(`plain after ${order}`)).toString()).toContain('%PDF')
    },
  )

  it('is ended with all that it started when it hangs', async () => {
    const hanging = drawn('hang', 'dwg', open(2_000))
    await expect.poll(running).toBe(true)
    await expect(hanging).rejects.toMatchObject({ code: 'PREVIEW_UNSUPPORTED' })
    await expect.poll(running).toBe(false)
  })
})

describe('the programs', () => {
  it('are looked for, named, or left alone', () => {
    expect(officeConverter('off')).toBeUndefined()
    const place = fs.mkdtempSync(path.join(folder, 'bin-'))
    expect(officeConverter('auto', [place])).toBeUndefined()
    fs.writeFileSync(path.join(place, 'soffice'), '', { mode: 0o755 })
    expect(officeConverter('auto', ['/nowhere', place])?.program).toBe(path.join(place, 'soffice'))
    expect(officeConverter('/opt/own/soffice')?.program).toBe('/opt/own/soffice')
    expect(cadConverter(' ')).toBeUndefined()
    expect(cadConverter('/bin/cp  {in} {out}')?.args('a', 'b')).toEqual(['a', 'b'])
  })
  it('read tables and text as UTF-8', () => {
    const args = (name: string) => officeConverter(STAND_IN)?.args(name, 'out/in.pdf') ?? []
    expect(args('in.csv')).toContain('--infilter=CSV:44,34,UTF8')
    expect(args('in.txt')).toContain('--infilter=Text (encoded):UTF8')
    expect(args('in.tsv')).toContain('--infilter=CSV:9,34,UTF8')
    expect(args('in.docx').join(' ')).toMatch(/--convert-to pdf --outdir out in\.docx$/)
  })
})
