import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import type { ReadableStreamReadResult } from 'node:stream/web'
import { ERRORS } from '@godwit/contract'
import { naughtyStrings } from '@godwit/testkit'
import { describe, expect, it } from 'vitest'
import { carriersSite, type Answer } from './testing/carriers.ts'

const { byHttp, home, inData, openLine, signIn, url } = carriersSite()

function content(token: string, file: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  const address = `${url()}/api/files/content?path=${encodeURIComponent(file)}`
  return fetch(address, { method, headers: { authorization: `Bearer ${token}`, ...headers } })
}

async function zipOf(token: string, paths: readonly string[]): Promise<Buffer> {
  const { data: ticket } = await byHttp(token, 'ticket', { paths })
  return Buffer.from(await (await fetch(url() + String(ticket?.['url']))).arrayBuffer())
}

describe('names', () => {
  it('on the list of naughty strings come back byte-equal by http, socket and zip, or are refused (SECURITY, row 20)', async () => {
    const token = await signIn()
    await byHttp(token, 'mkdir', { folder: '/', name: 'naughty' })
    await using line = await openLine()
    await line.call({ type: 'login', token })
    const made: string[] = []
    for (const [at, name] of naughtyStrings().entries()) {
      const input = { folder: '/naughty', name }
      const answer =
        at % 2 === 0
          ? await byHttp(token, 'mkdir', input)
          : await line.call({ type: 'call', operation: 'mkdir', input })
      if (answer.code === 200) made.push(name.normalize('NFC'))
      else expect([400, 5101, 5104, 5106], `${JSON.stringify(name)}: ${answer.code}`).toContain(answer.code)
    }
    expect(made.length).toBeGreaterThan(100)
    const wanted = made.toSorted()
    const listed = await byHttp(token, 'columns', { folder: '/naughty' })
    expect(namesOf(listed).toSorted()).toEqual(wanted)
    const spoken = await line.call({ type: 'call', operation: 'columns', input: { folder: '/naughty' } })
    expect(namesOf(spoken).toSorted()).toEqual(wanted)
    expect(zipNames(await zipOf(token, ['/naughty'])).toSorted()).toEqual(
      ['naughty/', ...made.map((name) => `naughty/${name}/`)].toSorted(),
    )
  })
  it('are found in NFC and NFD, and do not clash in case', async () => {
    const token = await signIn()
    fs.writeFileSync(home('re\u0301sume\u0301.txt'), 'from a Mac')
    await byHttp(token, 'list', { folder: '/' })
    expect(await (await content(token, '/r\u00e9sum\u00e9.txt')).text()).toBe('from a Mac')
    expect((await byHttp(token, 'mkdir', { folder: '/', name: 'R\u00c9SUM\u00c9.TXT' })).code).toBe(
      ERRORS.NAME_CASE_CLASH.wire,
    )
    expect((await byHttp(token, 'mkdir', { folder: '/', name: 'r\u00e9sum\u00e9.txt' })).code).toBe(
      ERRORS.PATH_EXISTS.wire,
    )
  })
  it('of which two differ only in case are never both made, even at once', async () => {
    const token = await signIn()
    const names = Array.from({ length: 16 }, (_, at) =>
      [...'twin'].map((letter, bit) => ((at >> bit) & 1 ? letter.toUpperCase() : letter)).join(''),
    )
    const codes = await Promise.all(
      names.map(async (name) => (await byHttp(token, 'mkdir', { folder: '/', name })).code),
    )
    expect(codes.filter((code) => code === 200)).toHaveLength(1)
  })
  it('of which two differ only in case are never both moved into a folder, even at once', async () => {
    const token = await signIn()
    for (let turn = 0; turn < 10; turn++) {
      fs.mkdirSync(home(`moved-${turn}`))
      const names = ['Twin.txt', 'twin.txt', 'TWIN.txt']
      for (const [at, name] of names.entries()) {
        fs.mkdirSync(home(`from-${turn}-${at}`))
        fs.writeFileSync(home(`from-${turn}-${at}`, name), name)
      }
      const moves = names.map((name, at) =>
        byHttp(token, 'move', { paths: [`/from-${turn}-${at}/${name}`], target: `/moved-${turn}` }),
      )
      await Promise.all(moves)
      await expect.poll(() => fs.readdirSync(home(`moved-${turn}`)).length).toBe(1)
      const left = names.filter((name, at) => fs.existsSync(home(`from-${turn}-${at}`, name)))
      expect(left).toHaveLength(2)
    }
  })
})

describe('links that somebody put into the storage', () => {
  it('are not listed, read, packed or deleted through (SECURITY, row 07)', async () => {
    const token = await signIn()
    const outside = inData('canary')
    fs.writeFileSync(outside, 'secret')
    fs.mkdirSync(home('links'))
    fs.symlinkSync(outside, home('links/file'))
    fs.symlinkSync(inData(), home('links/folder'))
    expect((await byHttp(token, 'list', { folder: '/links' })).data?.['items']).toEqual([])
    expect((await content(token, '/links/file')).status).toBe(400)
    expect((await content(token, '/links/folder/canary')).status).toBe(400)
    expect(zipNames(await zipOf(token, ['/links']))).toEqual(['links/', 'Not in this archive.txt'])
    await byHttp(token, 'remove', { paths: ['/links'] })
    expect(fs.readFileSync(outside, 'utf8')).toBe('secret')
  })
})

describe('contents', () => {
  const body = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251))

  it('come whole, in ranges, by version and as headers alone', async () => {
    const token = await signIn()
    fs.writeFileSync(home('content.bin'), body)
    const whole = await content(token, '/content.bin')
    expect(Buffer.from(await whole.arrayBuffer()).equals(body)).toBe(true)
    expect(whole.headers.get('content-security-policy')).toContain('sandbox')
    expect(whole.headers.get('content-disposition')).toBe('attachment; filename=content.bin')
    const etag = whole.headers.get('etag') ?? ''
    const part = await content(token, '/content.bin', { range: 'bytes=1000-1999', 'if-range': etag })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 1000-1999/300000'])
    expect(Buffer.from(await part.arrayBuffer()).equals(body.subarray(1000, 2000))).toBe(true)
    expect((await content(token, '/content.bin', { range: 'bytes=0-1', 'if-range': '"old"' })).status).toBe(200)
    expect((await content(token, '/content.bin', { 'if-none-match': etag })).status).toBe(304)
    expect((await content(token, '/content.bin', { range: 'bytes=300000-' })).status).toBe(416)
    const head = await content(token, '/content.bin', {}, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '300000'])
  })
  it('of a selection are a clean zip, with empty folders and names that are taken twice', async () => {
    const token = await signIn()
    fs.mkdirSync(home('pack/empty'), { recursive: true })
    fs.mkdirSync(home('pack/文件'))
    fs.writeFileSync(home('pack/文件/same.txt'), body)
    fs.writeFileSync(home('pack/same.txt'), 'other')
    const zip = await zipOf(token, ['/pack', '/pack/same.txt', '/pack/文件/same.txt'])
    const file = inData('selection.zip')
    fs.writeFileSync(file, zip)
    execFileSync('unzip', ['-t', file])
    expect(zipNames(zip).toSorted()).toEqual(
      [
        'pack/',
        'pack/empty/',
        'pack/same.txt',
        'pack/文件/',
        'pack/文件/same.txt',
        'same (1).txt',
        'same.txt',
      ].toSorted(),
    )
  })
  it('that break off never end as a whole zip', async () => {
    const token = await signIn()
    fs.mkdirSync(home('torn'))
    fs.writeFileSync(home('torn/a'), '')
    fs.truncateSync(home('torn/a'), 256 * 2 ** 20)
    const { data: ticket } = await byHttp(token, 'ticket', { paths: ['/torn'] })
    const { body: stream } = await fetch(url() + String(ticket?.['url']))
    const reader = stream?.getReader()
    const read = async (): Promise<ReadableStreamReadResult<Uint8Array> | undefined> => reader?.read()
    // The file is open by now: what is read behind its head are its bytes.
    for (let bytes = 0; bytes < 2 ** 20;) bytes += (await read())?.value?.length ?? 2 ** 20
    fs.truncateSync(home('torn/a'), 1000)
    const drain = async (): Promise<void> => {
      while ((await read())?.done === false);
    }
    await expect(drain()).rejects.toThrow('terminated')
  })
  it('say in a zip what is not in it, and hold no name that a system takes for a path', async () => {
    const token = await signIn()
    fs.mkdirSync(home('odd/below'), { recursive: true })
    fs.writeFileSync(home('odd/C:evil.txt'), 'x')
    fs.writeFileSync(home('odd/below/hard'), 'x')
    fs.linkSync(home('odd/below/hard'), inData('second-name'))
    fs.symlinkSync('/etc/passwd', home('odd/link'))
    fs.writeFileSync(Buffer.concat([Buffer.from(`${home('odd')}/bad-`), Buffer.of(0xff)]), 'x')
    const zip = await zipOf(token, ['/odd'])
    const file = inData('odd.zip')
    fs.writeFileSync(file, zip)
    const names = zipNames(zip)
    expect(names.map((name) => name.replace(/~[0-9a-f]{6}/, '~tag')).toSorted()).toEqual(
      ['Not in this archive.txt', 'odd/', 'odd/C_evil~tag.txt', 'odd/below/'].toSorted(),
    )
    const text = execFileSync('unzip', ['-p', file, 'Not in this archive.txt'], { encoding: 'utf8' })
    expect(text.trim().split('\r\n').slice(2).toSorted()).toEqual(['/odd/below: 1', '/odd: 2'].toSorted())
  })
})

function namesOf(answer: Answer): string[] {
  return (answer.data?.['names'] ?? []) as string[]
}

/** Names in the directory of an archive. */
function zipNames(zip: Buffer): string[] {
  const names: string[] = []
  for (let at = zip.indexOf(Buffer.from('PK\u0001\u0002')); at >= 0 && zip.readUInt32LE(at) === 0x0201_4b50;) {
    const [name, extra, comment] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30), zip.readUInt16LE(at + 32)]
    names.push(zip.toString('utf8', at + 46, at + 46 + name))
    at += 46 + name + extra + comment
  }
  return names
}
