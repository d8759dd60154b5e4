import { execFile } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SourceDisk } from './source-disk.ts'

let folder: string
beforeEach(() => (folder = fs.mkdtempSync(join(tmpdir(), 'gwt-source-'))))
afterEach(() => fs.rmSync(folder, { recursive: true }))

/** Reads `path` as the file of five bytes that it was when it was listed. */
function faultsOf(path: string, part: { length: number } = { length: 5 }) {
  const disk = new SourceDisk(fs, () => 0)
  const block = new Uint8Array(new SharedArrayBuffer(5))
  const span = { ref: path, fileOffset: 0, blockOffset: 0, size: 5, mtimeMs: 1000, ...part }
  const { faults } = disk.read({ block, hash: 'blake3', spans: [span] })
  disk.close()
  return faults.map(({ fault }) => fault)
}

describe.each([
  ['read at once', { length: 5 }],
  ['read in parts', { length: 2 }],
])('a source file %s', (_how, part) => {
  const listed = (): string => join(folder, 'a')

  it('that is still what was listed has no fault', () => {
    fs.writeFileSync(listed(), 'hello')
    fs.utimesSync(listed(), 1, 1)
    expect(faultsOf(listed(), part)).toEqual([])
  })

  it('that became a pipe nobody writes to cannot be read, and holds nobody up', async () => {
    await promisify(execFile)('mkfifo', [listed()])
    expect(faultsOf(listed(), part)).toEqual(['SOURCE_UNREADABLE'])
  })

  it('that became a link is not followed, not even to a file of the same size and time', () => {
    fs.writeFileSync(join(folder, 'secret'), 'hello')
    fs.utimesSync(join(folder, 'secret'), 1, 1)
    fs.symlinkSync('secret', listed())
    expect(faultsOf(listed(), part)).toEqual(['SOURCE_UNREADABLE'])
  })
})
