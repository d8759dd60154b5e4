import * as fs from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { directTarget, KEEPS_NOTHING } from '../testing/direct-disk.ts'
import { MemoryDisk, MemoryTarget } from '../testing/memory-target.ts'
import { targetSuite, type TargetFixture } from '../testing/target-suite.ts'

async function diskFixture(keeps = KEEPS_NOTHING): Promise<TargetFixture> {
  const root = await mkdtemp(join(tmpdir(), 'gwt-target-'))
  return {
    target: async () => directTarget(root, fs, keeps),
    async file(path) {
      const found = await stat(join(root, path)).catch(() => undefined)
      if (found?.isFile() !== true) return undefined
      return { bytes: await readFile(join(root, path)), mtimeMs: found.mtimeMs }
    },
    isFolder: async (path) => fs.existsSync(join(root, path)) && fs.lstatSync(join(root, path)).isDirectory(),
    async put(path, bytes, mtimeMs) {
      await writeFile(join(root, path), bytes)
      await utimes(join(root, path), mtimeMs / 1000, mtimeMs / 1000)
    },
    leftovers: async () =>
      (await readdir(root, { recursive: true })).filter((name) => /\.gw(part|journal)$/.test(name)),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  }
}

const KEEPS_ALL = { permissions: true, links: true, holes: true }

async function memoryFixture(): Promise<TargetFixture> {
  const disk = new MemoryDisk()
  return {
    target: async () => new MemoryTarget(disk),
    file: async (path) => disk.files.get(path),
    isFolder: async (path) => disk.folders.has(path),
    put: async (path, bytes, mtimeMs) => void disk.files.set(path, { bytes, mtimeMs, mode: 0o640, hash: '' }),
    leftovers: async () => [...disk.tasks.keys()],
    [Symbol.asyncDispose]: async () => undefined,
  }
}

targetSuite('a folder of a disk', () => diskFixture())
targetSuite('a folder of a disk that keeps permissions, links and holes', () => diskFixture(KEEPS_ALL))
targetSuite('memory', memoryFixture)
