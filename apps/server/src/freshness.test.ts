import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isFresh, makeFresh } from './freshness.ts'

describe('a product of the build', () => {
  const product = { name: 'program', result: 'dist/program.js', from: ['src', 'lock.json'] }
  let root = ''
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'freshness-'))
    await mkdir(join(root, 'src'))
    await mkdir(join(root, 'dist'))
    await writeFile(join(root, 'src/a.ts'), 'one')
    await writeFile(join(root, 'lock.json'), '{}')
  })
  afterEach(() => rm(root, { recursive: true }))

  const make = () => makeFresh(root, product, () => copyFile(join(root, 'src/a.ts'), join(root, product.result)))

  it('is fresh once it was made', async () => {
    expect(isFresh(root, product)).toBe(false)
    await make()
    expect(isFresh(root, product)).toBe(true)
  })

  it('is stale after a change of the same length, with the time of the file set back', async () => {
    const past = new Date(0)
    await utimes(join(root, 'src/a.ts'), past, past)
    await make()
    await writeFile(join(root, 'src/a.ts'), 'two')
    await utimes(join(root, 'src/a.ts'), past, past)
    expect(isFresh(root, product)).toBe(false)
  })

  it('is stale after a new, a renamed and a removed source', async () => {
    await make()
    await writeFile(join(root, 'src/b.ts'), 'two')
    expect(isFresh(root, product)).toBe(false)
    await make()
    await rename(join(root, 'src/b.ts'), join(root, 'src/c.ts'))
    expect(isFresh(root, product)).toBe(false)
    await make()
    await rm(join(root, 'src/c.ts'))
    expect(isFresh(root, product)).toBe(false)
  })

  it('stays fresh when a checkout writes the same contents again, and remembers so when asked to', async () => {
    await make()
    const stamp = join(root, 'node_modules/.cache/godwit/program.stamp')
    const before = await readFile(stamp, 'utf8')
    await writeFile(join(root, 'src/new.ts'), 'one')
    await rename(join(root, 'src/new.ts'), join(root, 'src/a.ts'))
    expect(isFresh(root, product)).toBe(true)
    expect(await readFile(stamp, 'utf8')).toBe(before)
    expect(isFresh(root, product, { note: true })).toBe(true)
    expect(await readFile(stamp, 'utf8')).not.toBe(before)
  })

  it('is stale when a build failed halfway, also once the sources are as they were before', async () => {
    await make()
    await writeFile(join(root, 'src/a.ts'), 'two')
    const failing = makeFresh(root, product, async () => {
      await writeFile(join(root, product.result), 'half')
      throw new Error('no space left')
    })
    await expect(failing).rejects.toThrow('no space left')
    await writeFile(join(root, 'src/a.ts'), 'one')
    expect(isFresh(root, product)).toBe(false)
  })

  it('is stale when a source changes while it is made', async () => {
    await makeFresh(root, product, async () => {
      await copyFile(join(root, 'src/a.ts'), join(root, product.result))
      await writeFile(join(root, 'src/a.ts'), 'two')
    })
    expect(existsSync(join(root, product.result))).toBe(true)
    expect(isFresh(root, product)).toBe(false)
  })

  it('is stale when its stamp was cut off, or when it was removed', async () => {
    await make()
    await writeFile(join(root, 'node_modules/.cache/godwit/program.stamp'), '{"glan')
    expect(isFresh(root, product)).toBe(false)
    await make()
    await rm(join(root, product.result))
    expect(isFresh(root, product)).toBe(false)
  })
})
