import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { directSource } from '../testing/direct-disk.ts'
import { MemorySource, type MemorySourceFile } from '../testing/memory-source.ts'
import { sourceSuite, type SourceFixture } from '../testing/source-suite.ts'

async function diskFixture(): Promise<SourceFixture> {
  const root = await mkdtemp(join(tmpdir(), 'gwt-source-'))
  return {
    async put(path, bytes, mtimeMs) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), bytes)
      await utimes(join(root, path), mtimeMs / 1000, mtimeMs / 1000)
    },
    remove: (path) => rm(join(root, path)),
    source: async () => directSource({ roots: [root], filter: {} }),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  }
}

async function memoryFixture(): Promise<SourceFixture> {
  const files = new Map<string, MemorySourceFile>()
  return {
    put: async (path, bytes, mtimeMs) => void files.set(path, { bytes, mtimeMs }),
    remove: async (path) => void files.delete(path),
    source: async () => new MemorySource(files),
    [Symbol.asyncDispose]: async () => undefined,
  }
}

sourceSuite('a folder of a disk', diskFixture)
sourceSuite('memory', memoryFixture)
