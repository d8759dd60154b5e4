import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ArchiveEntry, ArchiveSource } from './archive-entries.ts'
import { headerOf, readTar } from './read-tar.ts'
import { readZip } from './read-zip.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-archives-'))
afterEach(() => vi.unstubAllGlobals())

/** The archive as a server with ranges gives it. @returns the ranges that were asked for, too */
function serve(archive: Uint8Array): ArchiveSource & { readonly ranges: string[] } {
  const ranges: string[] = []
  vi.stubGlobal('fetch', (_: string, { headers }: { readonly headers: { readonly range: string } }) => {
    const [start = 0, last = 0] = (/\d+-\d+/.exec(headers.range)?.[0] ?? '').split('-').map(Number)
    ranges.push(headers.range)
    return Promise.resolve(new Response(Uint8Array.from(archive.subarray(start, last + 1)), { status: 206 }))
  })
  return { url: '/archive', size: archive.length, signal: new AbortController().signal, ranges }
}

async function collect(entries: AsyncIterable<ArchiveEntry>): Promise<ArchiveEntry[]> {
  const found: ArchiveEntry[] = []
  for await (const entry of entries) found.push(entry)
  return found
}

async function textOf(entries: readonly ArchiveEntry[], name: string): Promise<string | undefined> {
  return (await entries.find((entry) => entry.path === name)?.open())?.text()
}

async function zipOf(files: Readonly<Record<string, string>>, password?: string): Promise<Uint8Array> {
  const writer = new ZipWriter(new BlobWriter(), password === undefined ? {} : { password })
  for (const [name, text] of Object.entries(files)) await writer.add(name, new TextReader(text))
  return new Uint8Array(await (await writer.close()).arrayBuffer())
}

/** Where the directory of a zip holds the size of its only entry. */
function sizeField(zip: Uint8Array): number {
  return Buffer.from(zip).indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24
}

describe('a zip', () => {
  it('is listed by its directory, and a file is fetched alone', async () => {
    const big = Array.from({ length: 300_000 }, (_, at) => String.fromCharCode(33 + ((at * 7919) % 90))).join('')
    const source = serve(await zipOf({ 'a/one.txt': 'first', 'a/big.txt': big, '../out.txt': 'outside' }))
    const entries = await collect(readZip(source))
    expect(entries.map((entry) => [entry.path, entry.size])).toEqual([
      ['a/one.txt', 5],
      ['a/big.txt', big.length],
      ['out.txt', 7],
    ])
    const before = source.ranges.length
    expect(await textOf(entries, 'a/one.txt')).toBe('first')
    expect(await textOf(entries, 'a/big.txt')).toBe(big)
    // For each its header in two looks, and the content in one piece.
    expect(source.ranges.length - before).toBeLessThanOrEqual(6)
  })

  it('says which files need a password', async () => {
    const [entry] = await collect(readZip(serve(await zipOf({ 'secret.txt': 'x' }, 'password'))))
    expect(entry?.isEncrypted).toBe(true)
  })

  it('stops where an entry grows beyond what was announced', async () => {
    const zip = await zipOf({ 'bomb.txt': 'x'.repeat(1_000_000) })
    new DataView(zip.buffer).setUint32(sizeField(zip), 10, true)
    const [entry] = await collect(readZip(serve(zip)))
    expect(entry?.size).toBe(10)
    await expect(entry?.open()).rejects.toThrow(/larger|signature|size/i)
  })

  it('reads Chinese names of old archives', async () => {
    const zip = await zipOf({ abcd: 'text' })
    const name = Buffer.from([0xc4, 0xe3, 0xba, 0xc3])
    const bytes = Buffer.from(zip)
    for (let at = bytes.indexOf('abcd'); at >= 0; at = bytes.indexOf('abcd')) name.copy(bytes, at)
    // Without the mark of UTF-8 in both headers.
    bytes.writeUInt16LE(bytes.readUInt16LE(6) & ~0x800, 6)
    const directory = sizeField(bytes) - 24
    bytes.writeUInt16LE(bytes.readUInt16LE(directory + 8) & ~0x800, directory + 8)
    expect((await collect(readZip(serve(bytes)))).map((entry) => entry.path)).toEqual(['你好'])
  })

  it('that is damaged is refused', async () => {
    await expect(collect(readZip(serve(Buffer.from('PK\u0003\u0004 and nothing more'))))).rejects.toThrow(/./)
  })
})

describe('a tar', () => {
  const long = `${'long-name-'.repeat(15)}.txt`
  function tarOf(format: string): Buffer {
    const tree = fs.mkdtempSync(path.join(folder, format))
    fs.mkdirSync(path.join(tree, 'sub/目录'), { recursive: true })
    fs.writeFileSync(path.join(tree, 'one.txt'), 'first')
    fs.writeFileSync(path.join(tree, 'sub/目录/two.bin'), Buffer.alloc(700_000, 'ab'))
    fs.writeFileSync(path.join(tree, 'sub', long), 'long')
    fs.symlinkSync('/etc/passwd', path.join(tree, 'link'))
    const file = path.join(folder, `${format}.tar`)
    execFileSync('tar', [`--format=${format}`, '-cf', file, '-C', tree, '.'])
    return fs.readFileSync(file)
  }

  it.each(['gnu', 'pax'])(
    'of the %s format is listed with long and Chinese names, and without its links',
    async (format) => {
      const entries = await collect(readTar(serve(tarOf(format))))
      expect(entries.map((entry) => entry.path).toSorted()).toEqual(
        ['one.txt', 'sub', 'sub/目录', 'sub/目录/two.bin', `sub/${long}`].toSorted(),
      )
      expect(await textOf(entries, 'one.txt')).toBe('first')
      expect(await textOf(entries, 'sub/目录/two.bin')).toBe('ab'.repeat(350_000))
      expect(await textOf(entries, `sub/${long}`)).toBe('long')
    },
  )

  it('that is damaged is refused', async () => {
    const tar = tarOf('gnu')
    tar[0] = (tar[0] ?? 0) ^ 0xff
    await expect(collect(readTar(serve(tar)))).rejects.toThrow('damaged')
    expect(headerOf(new Uint8Array(512))).toBeUndefined()
  })
})
