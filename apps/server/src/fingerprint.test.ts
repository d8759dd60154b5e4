import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fingerprint } from './fingerprint.ts'

describe('the fingerprint of what a build reads', () => {
  let root = ''
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'fingerprint-'))
    await mkdir(join(root, 'src/deep'), { recursive: true })
    await writeFile(join(root, 'src/a.ts'), 'one')
    await writeFile(join(root, 'src/deep/b.ts'), 'two')
  })
  afterEach(() => rm(root, { recursive: true }))

  it('stays the same while nothing changes', async () => {
    expect(fingerprint(root, ['src'])).toBe(fingerprint(root, ['src']))
  })

  it('changes with a content, however deep', async () => {
    const before = fingerprint(root, ['src'])
    await writeFile(join(root, 'src/deep/b.ts'), 'new')
    expect(fingerprint(root, ['src'])).not.toBe(before)
  })

  it('changes with a name', async () => {
    const before = fingerprint(root, ['src'])
    await rename(join(root, 'src/a.ts'), join(root, 'src/c.ts'))
    expect(fingerprint(root, ['src'])).not.toBe(before)
  })

  it('does not look at what a build wrote, nor at tests', async () => {
    const before = fingerprint(root, ['src'])
    await mkdir(join(root, 'src/dist'))
    await writeFile(join(root, 'src/dist/a.js'), 'built')
    await writeFile(join(root, 'src/a.test.ts'), 'test')
    expect(fingerprint(root, ['src'])).toBe(before)
  })
})
