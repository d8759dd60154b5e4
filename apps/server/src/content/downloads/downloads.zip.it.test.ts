import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ZipWriter } from './downloads.zip.ts'
import type { ZipLimits } from './zip-format.ts'

const TIME = Date.UTC(2026, 10, 20, 12, 0, 0)

function contentOf(name: string, size: number): Buffer {
  return createHash('shake256', { outputLength: Math.max(1, size) })
    .update(name)
    .digest()
    .subarray(0, size)
}

/** Makes an archive, has unzip test and unpack it, and compares every byte. */
function expectWhole(limits: ZipLimits | undefined, sizes: ReadonlyMap<string, number>): void {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-zip-'))
  const zip = limits === undefined ? new ZipWriter() : new ZipWriter(limits)
  const pieces: Buffer[] = [zip.begin({ name: 'folder/', modifiedMs: TIME, size: 0 }), zip.end()]
  for (const [name, size] of sizes) {
    const content = contentOf(name, size)
    pieces.push(zip.begin({ name, modifiedMs: TIME, size }))
    zip.content(content)
    pieces.push(content, zip.end())
  }
  pieces.push(...zip.finish())
  const archive = path.join(folder, 'a.zip')
  fs.writeFileSync(archive, Buffer.concat(pieces))
  expect(execFileSync('unzip', ['-tq', archive], { encoding: 'utf8' })).toContain('No errors detected')
  // Without a locale of UTF-8 unzip writes the names in escapes.
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  execFileSync('unzip', ['-q', archive, '-d', path.join(folder, 'out')], { env })
  for (const [name, size] of sizes) {
    const unpacked = fs.readFileSync(path.join(folder, 'out', name))
    expect(unpacked.equals(contentOf(name, size)), name).toBe(true)
  }
  expect(fs.readdirSync(path.join(folder, 'out/folder'))).toHaveLength(
    [...sizes.keys()].filter((name) => name.startsWith('folder/')).length,
  )
  fs.rmSync(folder, { recursive: true })
}

describe('a zip', () => {
  const sizes = new Map([
    ['empty', 0],
    ['one', 1],
    ['folder/文件.txt', 5_000],
    ['folder/é', 70_000],
  ])
  it('unpacks to what went in', () => expectWhole(undefined, sizes))

  it.each([
    ['sizes', { bytes: 5_000, contentBytes: 4_999, entries: 0xffff }],
    ['a size that only its frame makes large', { bytes: 5_001, contentBytes: 5_000, entries: 0xffff }],
    ['offsets', { bytes: 71_000, contentBytes: 70_900, entries: 0xffff }],
    ['the number of entries', { bytes: 0xffff_ffff, contentBytes: 0xfff0_0000, entries: 5 }],
    ['everything', { bytes: 1, contentBytes: 0, entries: 1 }],
  ] as const)('with 64-bit fields for %s unpacks as well', (_what, limits) => expectWhole(limits, sizes))
})
