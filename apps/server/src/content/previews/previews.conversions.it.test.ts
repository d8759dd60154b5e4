import fs from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'

const STAND_IN = path.join(import.meta.dirname, '../../foundation/conversions/testing/soffice.sh')
const TO_PDF = path.join(import.meta.dirname, '../../foundation/conversions/testing/topdf.sh')
const zip = (order: string): Buffer => Buffer.from(`PK\u0003\u0004 order:${order} `)
const ole = (order: string): Buffer =>
  Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.from(` order:${order} `)])
const FILES: Readonly<Record<string, Buffer>> = {
  ...{ 'a.docx': zip('plain'), 'a.docm': zip('plain'), 'a.pptx': zip('plain'), 'a.odt': zip('plain') },
  ...{ 'a.xlsx': zip('plain'), 'a.doc': ole('plain'), 'a.xls': ole('plain'), 'broken.docx': zip('fail') },
  ...{ 'a.dwg': Buffer.from('AC1027 order:plain'), 'a.ocf': Buffer.from([1, 0, 2, 0, 3]) },
  ...{
    'a.csv': Buffer.from('a,b\n1,2\n'),
    'page.html': Buffer.from('<!doctype html>order:plain'),
    'a.md': Buffer.from('# a'),
  },
}

async function open(env: Readonly<Record<string, string>>): Promise<Site> {
  const site = await openSite({ env })
  await site.addUser('mei')
  fs.mkdirSync(site.home('mei'), { recursive: true })
  for (const [name, content] of Object.entries(FILES)) fs.writeFileSync(path.join(site.home('mei'), name), content)
  return site
}

async function previewsOf(site: Site, names = Object.keys(FILES)) {
  const { token } = await site.signIn('mei')
  const previews: Record<string, { readonly view: string; readonly url: string }> = {}
  for (const name of names) {
    const { data } = await site.call(token, 'preview', { path: `/${name}` })
    previews[name] = { view: String(data['reason'] ?? data['view']), url: String(data['url']) }
  }
  return previews
}

const viewsOf = async (site: Site) =>
  Object.fromEntries(Object.entries(await previewsOf(site)).map(([name, { view }]) => [name, view]))

describe('with converters installed', () => {
  let site: Site
  beforeAll(async () => {
    site = await open({ GODWIT_PREVIEW_OFFICE: STAND_IN, GODWIT_PREVIEW_CAD: `${TO_PDF} --paper a3 {in} {out}` })
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  it('office documents and drawings are shown as PDF, tables as tables', async () => {
    expect(await viewsOf(site)).toEqual({
      ...{ 'a.docx': 'pdf', 'a.docm': 'pdf', 'a.pptx': 'pdf', 'a.odt': 'pdf', 'a.xlsx': 'sheet', 'a.csv': 'table' },
      ...{
        'a.doc': 'pdf',
        'a.xls': 'pdf',
        'a.dwg': 'pdf',
        'a.ocf': 'pdf',
        'broken.docx': 'pdf',
        'page.html': 'text',
        'a.md': 'markdown',
      },
    })
  })

  it('the link sends the PDF that was made, and a code where none can be', async () => {
    const previews = await previewsOf(site, ['a.docx', 'a.doc', 'a.dwg', 'broken.docx'])
    for (const name of ['a.docx', 'a.doc', 'a.dwg']) {
      const answer = await site.ask({ path: previews[name]?.url ?? '' })
      expect([name, answer.status, answer.headers['content-type']]).toEqual([name, 200, 'application/octet-stream'])
      expect(answer.text).toContain(`${name.endsWith('dwg') ? '% a3 of' : '%'} in${path.extname(name)}`)
      expect(answer.headers['content-disposition']).toBe(`attachment; filename=${name}.pdf`)
      const known = { 'if-none-match': String(answer.headers.etag) }
      expect((await site.ask({ path: previews[name]?.url ?? '', headers: known })).status).toBe(304)
    }
    expect((await site.ask({ path: previews['broken.docx']?.url ?? '' })).code).toBe(5119)
    expect(fs.readdirSync(path.join(site.data, 'cache/conversions'))).toEqual([])
  })

  it('what a converter of drawings hides in a PDF is sent as bytes that nothing runs, and anything else is not sent', async () => {
    const hostile = { 'polyglot.dwg': 200, 'html.dwg': 5119, 'svg.ocf': 5119, 'fail.dwg': 5119, 'flood.ocf': 5119 }
    for (const name of Object.keys(hostile)) {
      const head = name.endsWith('dwg') ? Buffer.from('AC1027 ') : Buffer.from([1, 0, 2, 0, 3])
      const order = Buffer.from(` order:${path.parse(name).name}`)
      fs.writeFileSync(path.join(site.home('mei'), name), Buffer.concat([head, order]))
    }
    const previews = await previewsOf(site, Object.keys(hostile))
    for (const [name, wanted] of Object.entries(hostile)) {
      const { code, status, headers } = await site.ask({ path: previews[name]?.url ?? '' })
      expect([name, status === 200 ? 200 : code]).toEqual([name, wanted])
      if (status !== 200) continue
      expect(headers).toMatchObject({ 'content-type': 'application/octet-stream', 'x-content-type-options': 'nosniff' })
      expect(headers['content-disposition']).toContain('attachment')
      expect(headers['content-security-policy']).toContain('sandbox')
    }
    for (const name of Object.keys(hostile)) fs.rmSync(path.join(site.home('mei'), name))
  })

  it('with a mark all of them are pages, tables and text as well, and links from before send nothing', async () => {
    const before = await previewsOf(site, ['a.docx'])
    await site.cli('settings set watermark.on 1')
    await expect.poll(async () => (await previewsOf(site, ['a.csv']))['a.csv']?.view).toBe('pages')
    expect(new Set(Object.values(await viewsOf(site)))).toEqual(new Set(['pages']))
    expect((await site.ask({ path: before['a.docx']?.url ?? '' })).code).toBe(5119)
    const { 'a.csv': table } = await previewsOf(site, ['a.csv'])
    expect(JSON.parse((await site.ask({ path: `${table?.url}&page=0` })).text)).toMatchObject({ count: 1, width: 300 })
    const page = await site.ask({ path: `${table?.url}&page=1` })
    expect(await sharp(page.body).metadata()).toMatchObject({ format: 'webp', width: 2048 })
    expect((await sharp(page.body).stats()).channels[0]?.min).toBeLessThan(255)
  })
})

describe('without converters', () => {
  it('text documents and tables are shown as they can be, and the others say what is missing', async () => {
    await using site = await open({})
    expect(await viewsOf(site)).toEqual({
      ...{ 'a.docx': 'document', 'a.docm': 'document', 'broken.docx': 'document', 'a.xlsx': 'sheet', 'a.csv': 'table' },
      ...{ 'a.pptx': 'converter', 'a.odt': 'converter', 'a.doc': 'converter', 'a.xls': 'converter' },
      ...{ 'a.dwg': 'converter', 'a.ocf': 'converter', 'page.html': 'text', 'a.md': 'markdown' },
    })
  })
})
