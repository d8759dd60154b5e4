import { secureRandom } from '@godwit/base'
import { s3Access } from '@godwit/testkit/engines'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ObjectStore } from '../object-store.ts'
import { S3Bucket } from '../s3/s3-bucket.ts'
import { openBucket, type TemporaryBucket } from '../testing/temporary-bucket.ts'
import { bucketStore } from './bucket-store.ts'
import type { Bucket, StoredObject } from './bucket.ts'

const FILES = ['a', 'b', 'sub/c', 'sub/deep/d', 'z']
const NEVER = Number.POSITIVE_INFINITY
const isMoves = () => Promise.resolve(true)
const isOthers = () => Promise.resolve(false)

/** A bucket whose caller dies at one of its changes; of what is deleted together, half is gone by then. */
class DyingBucket {
  left = NEVER
  changes = 0

  around(bucket: Bucket): Bucket {
    return new Proxy(bucket, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target)
        if (typeof member !== 'function') return member
        const method = member.bind(target) as (...args: readonly unknown[]) => Promise<unknown>
        if (name === 'copy') return (...args: readonly unknown[]) => this.#change(() => method(...args))
        if (name !== 'deleteEach') return method
        return (objects: readonly StoredObject[], ...more: readonly unknown[]) =>
          this.#change(
            () => method(objects, ...more),
            () => method(objects.slice(0, Math.floor(objects.length / 2)), ...more),
          )
      },
    })
  }

  async #change(whole: () => Promise<unknown>, part?: () => Promise<unknown>): Promise<unknown> {
    this.changes++
    if (this.left-- > 0) return whole()
    if (this.left === -1) await part?.()
    throw new Error('dead')
  }
}

describe('a move on a bucket that was cut short', () => {
  const dying = new DyingBucket()
  let temporary: TemporaryBucket
  let mortal: ObjectStore
  let store: ObjectStore

  beforeAll(async () => {
    temporary = await openBucket(await s3Access())
    store = temporary.store
    mortal = bucketStore(dying.around(await S3Bucket.open(temporary.options)), secureRandom)
  })
  afterAll(async () => {
    await mortal[Symbol.asyncDispose]()
    await store[Symbol.asyncDispose]()
    await temporary.destroy()
  })
  beforeEach(async () => {
    dying.left = NEVER
    for (const key of ['from', 'to']) if ((await store.stat(key)) !== undefined) await store.remove(key)
  })

  async function write(key: string, text: string): Promise<void> {
    const [written] = await store.writeFiles([{ key, content: Buffer.from(text) }], { conflict: 'replace' })
    if (written !== undefined && 'error' in written) throw written.error
  }
  async function writeTree(): Promise<void> {
    await store.ensureFolder('from/sub/deep')
    await store.ensureFolder('from/empty')
    for (const file of FILES) await write(`from/${file}`, `content of ${file}`)
  }
  /** Every object below both folders with its content; '' for a folder. */
  async function state(): Promise<Record<string, string>> {
    const found: Record<string, string> = {}
    const look = async (key: string): Promise<void> => {
      const entry = await store.stat(key)
      if (entry === undefined) return
      if (entry.kind === 'file') {
        await using reader = await store.openRead(key)
        found[key] = Buffer.concat(await Array.fromAsync(reader.stream())).toString()
        return
      }
      found[key] = ''
      for await (const page of store.list(key)) for (const name of page.names) await look(`${key}/${name}`)
    }
    for (const key of ['from', 'to']) await look(key)
    return found
  }
  const moved = (tree: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(tree).map(([key, content]) => [key.replace(/^from/, 'to'), content]))

  it('is whole at the target in the end, wherever it was cut, or has not begun', async () => {
    await writeTree()
    const before = await state()
    dying.changes = 0
    await mortal.move('from', 'to', { conflict: 'fail' })
    const { changes } = dying
    expect(await state()).toEqual(moved(before))
    const outcomes = new Set<string>()
    for (let at = 0; at < changes; at++) {
      await store.remove('to')
      await writeTree()
      dying.left = at
      await expect(mortal.move('from', 'to', { conflict: 'fail' })).rejects.toThrow('dead')
      const entry = await store.finishMove('from', 'to', isMoves)
      const files = Object.entries(await state()).filter(([, content]) => content !== '')
      if (entry !== undefined) expect(await state(), `cut at ${at}`).toEqual(moved(before))
      else expect(files).toEqual(Object.entries(before).filter(([, content]) => content !== ''))
      outcomes.add(entry === undefined ? 'not begun' : 'whole')
      if ((await store.stat('to')) === undefined) await store.createFolder('to')
    }
    expect([...outcomes].toSorted()).toEqual(['not begun', 'whole'])
  })

  it('leaves at either place what somebody put there meanwhile', async () => {
    await writeTree()
    await store.createFolder('to')
    await write('to/a', 'content of a')
    await write('to/b', 'another thing')
    await store.createFolder('to/sub')
    await write('to/sub/c', 'content of sub/C')
    expect((await store.finishMove('from', 'to', isOthers))?.kind).toBe('folder')
    expect(await state()).toMatchObject({
      ...{ 'to/a': 'content of a', 'to/b': 'another thing', 'to/sub/c': 'content of sub/C', 'to/z': 'content of z' },
      ...{ 'from/b': 'content of b', 'from/sub/c': 'content of sub/c' },
    })
    expect(Object.keys(await state())).not.toContain('from/a')
  })

  it('changes nothing where only others have put something', async () => {
    await writeTree()
    await store.createFolder('to')
    await write('to/a', 'somebody else')
    const before = await state()
    expect(await store.finishMove('from', 'to', isMoves)).toBeUndefined()
    expect(await state()).toEqual(before)
  })

  it('of a file is over when the file is gone, goes on when both are there, and has not begun when the target is another', async () => {
    await write('from', 'one file')
    expect(await store.finishMove('from', 'to', isMoves)).toBeUndefined()
    await write('to', 'one file')
    expect((await store.finishMove('from', 'to', isOthers))?.size).toBe(8)
    expect(await state()).toEqual({ to: 'one file' })
    expect((await store.finishMove('from', 'to', isOthers))?.kind).toBe('file')
    await write('from', 'more text')
    expect(await store.finishMove('from', 'to', isMoves)).toBeUndefined()
    expect(await state()).toEqual({ from: 'more text', to: 'one file' })
  })
})
