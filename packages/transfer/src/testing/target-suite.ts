import { LEAF_BYTES, leafCount, seededRandom } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { treeHash } from '../hashes/tree-hash.ts'
import type { SpansWritten, Target, TargetFault, TargetSpan, TargetState, TargetTask } from '../targets/target.ts'

/** What the suite needs to look behind a target. */
export interface TargetFixture extends AsyncDisposable {
  /**
   * kept: files have the time of the transfer, and one that is visible can be given another. given: a file has the time of
   * the transfer once and for all. own: the storage gives its files times of its own. Default kept.
   */
  readonly times?: 'kept' | 'given' | 'own'
  /** A target over the same storage as the ones before it; those are not used any more, whether closed or not. */
  target(): Promise<Target>
  /** The visible file at a path; undefined when there is none. */
  file(path: string): Promise<{ readonly bytes: Uint8Array; readonly mtimeMs: number } | undefined>
  isFolder(path: string): Promise<boolean>
  /** Puts a file there from outside, as somebody else would. */
  put(path: string, bytes: Uint8Array, mtimeMs: number): Promise<void>
  /** Whether another task goes on with what one left; by default each task has its own. */
  readonly tasks?: 'shared'
  /** What is left in the storage beside visible files and folders. */
  leftovers(): Promise<readonly string[]>
}

const TASK: TargetTask = { taskId: new Uint8Array(16).fill(7), hash: 'blake3' }
const OTHER_TASK: TargetTask = { taskId: new Uint8Array(16).fill(8), hash: 'blake3' }
const { leaf: leafHash } = treeHash(TASK.hash)

interface Sample {
  readonly file: number
  readonly path: string
  readonly bytes: Uint8Array
  readonly mtimeMs: number
}

const pattern = seededRandom(3).fill(new Uint8Array(LEAF_BYTES))
let nextFile = 0

/** The same random leaf again and again, each stamped with its file and place. */
function sample(path: string, length: number, mtimeMs = 1_700_000_000_000): Sample {
  const file = nextFile++
  const bytes = Buffer.alloc(length, pattern)
  for (let at = 0; at + 8 <= length; at += LEAF_BYTES)
    bytes.writeUInt32BE(at / LEAF_BYTES, bytes.writeUInt32BE(file, at))
  return { file, path, bytes, mtimeMs }
}

function spanOf({ file, path, bytes, mtimeMs }: Sample, leaf: number): TargetSpan {
  const fileOffset = leaf * LEAF_BYTES
  const part = bytes.subarray(fileOffset, fileOffset + LEAF_BYTES)
  const attributes = { file, path, size: bytes.length, mtimeMs, mode: 0o640 }
  return { ...attributes, fileOffset, length: part.length, blockOffset: 0, leaf: leafHash(part) }
}

/** Writes leaves of a file; all of them unless said otherwise. */
async function write(target: Target, file: Sample, leaves: readonly number[] = allLeaves(file)): Promise<SpansWritten> {
  let last: SpansWritten = { mismatched: [], failed: [], uncommitted: 0, busyMs: 0 }
  for (const leaf of leaves) {
    const span = spanOf(file, leaf)
    last = await target.write({ block: blockOf(file.bytes.subarray(span.fileOffset)), spans: [span] })
  }
  return last
}

function blockOf(bytes: Uint8Array): Uint8Array<SharedArrayBuffer> {
  const block = new Uint8Array(new SharedArrayBuffer(LEAF_BYTES))
  block.set(bytes.subarray(0, LEAF_BYTES))
  return block
}

function allLeaves({ bytes }: Sample): number[] {
  return Array.from({ length: leafCount(bytes.length) }, (_value, leaf) => leaf)
}

async function open(fixture: TargetFixture, task = TASK): Promise<{ target: Target; state: TargetState }> {
  const target = await fixture.target()
  return { target, state: await target.open(task) }
}

function faultsOf(failed: ReadonlyArray<{ code: TargetFault }>): TargetFault[] {
  return failed.map(({ code }) => code)
}

async function expectThere(fixture: TargetFixture, { path, bytes, mtimeMs }: Sample): Promise<void> {
  const found = await fixture.file(path)
  if (fixture.times !== 'own') expect(found?.mtimeMs, path).toBe(mtimeMs)
  expect(Buffer.compare(found?.bytes ?? new Uint8Array(0), bytes), path).toBe(0)
}

/**
 * The contract of `Target`: the same cases for every implementation.
 * @param resumes what survives the end of the process: every leaf, or parts of several leaves. The latter is for storages
 * that take nothing smaller.
 */
export function targetSuite(
  name: string,
  create: () => Promise<TargetFixture>,
  resumes: 'leaves' | 'parts' = 'leaves',
): void {
  describe(`${name} as the target of a transfer`, () => {
    commitCases(create)
    visibleCases(create)
    refusalCases(create)
    resumptionCases(create)
    if (resumes === 'leaves') leafCases(create)
  })
}

function commitCases(create: () => Promise<TargetFixture>): void {
  it('shows a small file with bytes and time after its commit, and not before', async () => {
    await using fixture = await create()
    const { target } = await open(fixture)
    const small = sample('folder/small', 5000)
    expect(await write(target, small)).toMatchObject({ mismatched: [], failed: [], uncommitted: 1 })
    expect(await fixture.file(small.path)).toBeUndefined()
    expect(await target.commit()).toMatchObject({ committed: 1, failed: [] })
    await expectThere(fixture, small)
    await target.close('complete')
  })

  it('takes the leaves of a large file in any order, and completes it with the last one', async () => {
    await using fixture = await create()
    const { target } = await open(fixture)
    const large = sample('large', 3 * LEAF_BYTES + 7)
    expect((await write(target, large, [3, 0, 2])).uncommitted).toBe(0)
    expect((await write(target, large, [1])).uncommitted).toBe(1)
    await target.close('complete')
    await expectThere(fixture, large)
  })

  it('takes many files in one block, with bytes of others between them, and a leaf a second time', async () => {
    await using fixture = await create()
    const { target } = await open(fixture)
    const files = [sample('a', 10), sample('b/c', 20), sample('b/d', 30)]
    const block = blockOf(Buffer.concat(files.map(({ bytes }) => Buffer.concat([bytes, Buffer.alloc(7)]))))
    const spans = files.map((file, index) => ({ ...spanOf(file, 0), blockOffset: [0, 17, 44][index] ?? 0 }))
    const request = { block, spans }
    expect((await target.write(request)).uncommitted).toBe(3)
    const large = sample('large', LEAF_BYTES + 1)
    await write(target, large, [0, 0, 1])
    await target.close('complete')
    for (const file of [...files, large]) await expectThere(fixture, file)
  })

  it('makes folders and empty files, and finds folders that are there', async () => {
    await using fixture = await create()
    const { target } = await open(fixture)
    const attributes = { mtimeMs: 1_600_000_000_000, mode: 0o750 }
    const folder = { ...attributes, file: 1, kind: 'directory', path: 'a/b' } as const
    const empty = { ...attributes, file: 2, kind: 'file', path: 'a/empty' } as const
    expect(await target.makeEmpty([folder, empty])).toEqual({ folders: 1, failed: [], uncommitted: 1 })
    expect(await target.makeEmpty([folder])).toMatchObject({ folders: 1, failed: [] })
    await target.close('complete')
    expect(await fixture.isFolder('a/b')).toBe(true)
    await expectThere(fixture, { file: 2, path: 'a/empty', bytes: new Uint8Array(0), mtimeMs: attributes.mtimeMs })
  })

  it('leaves nothing behind but its files when it is complete', async () => {
    await using fixture = await create()
    const { target } = await open(fixture)
    await write(target, sample('small', 10))
    await write(target, sample('large', 2 * LEAF_BYTES))
    await target.close('complete')
    expect(await fixture.leftovers()).toEqual([])
    expect((await open(fixture)).state).toMatchObject({ isResumed: false, files: [] })
  })
}

function visibleCases(create: () => Promise<TargetFixture>): void {
  it('finds what is visible, whoever put it there, before it is opened', async () => {
    await using fixture = await create()
    await fixture.put('there', new Uint8Array(9), 1_000_000)
    const target = await fixture.target()
    const time = fixture.times === 'own' ? {} : { mtimeMs: 1_000_000 }
    const seen = await target.look(['new/a', 'new/b', 'there', 'there/below'])
    expect(seen).toMatchObject([undefined, undefined, { kind: 'file', size: 9, ...time }, undefined])
  })

  it('is empty until something is visible in it', async () => {
    await using fixture = await create()
    const first = await open(fixture)
    expect(first.state.isEmpty).toBe(true)
    await write(first.target, sample('a/b', 10))
    await first.target.close('complete')
    const { state, target } = await open(fixture)
    expect(state.isEmpty).toBe(false)
    expect((await target.look(['a']))[0]).toMatchObject({ kind: 'directory' })
  })

  it('compares visible bytes with hashes, leaf by leaf', async () => {
    await using fixture = await create()
    const file = sample('a', LEAF_BYTES + 100)
    await fixture.put('a', file.bytes, 1_000_000)
    const target = await fixture.target()
    const spans = [spanOf(file, 0), { ...spanOf(file, 1), leaf: leafHash(new Uint8Array(100)) }, spanOf(file, 1)]
    expect(await target.matches(spans, TASK.hash)).toEqual([true, false, true])
    expect(await target.matches([{ ...spanOf(file, 0), path: 'gone' }], TASK.hash)).toEqual([false])
  })

  it('gives a file and a folder that are there another time', async () => {
    await using fixture = await create()
    const { target } = await open(fixture)
    const file = sample('folder/a', 10)
    await write(target, file)
    await target.commit()
    const attributes = { mtimeMs: 1_500_000_000_000, mode: 0o750 }
    await target.setAttributes([
      { ...attributes, kind: 'file', path: 'folder/a' },
      { ...attributes, kind: 'directory', path: 'folder' },
      { ...attributes, kind: 'directory', path: 'gone' },
    ])
    await target.close('complete')
    const isKept = (fixture.times ?? 'kept') === 'kept'
    await expectThere(fixture, isKept ? { ...file, mtimeMs: attributes.mtimeMs } : file)
  })

  it('knows how much space is free, or that it does not know', async () => {
    await using fixture = await create()
    const target = await fixture.target()
    expect((await target.freeBytes()) ?? 1).toBeGreaterThan(0)
  })

  it('makes a link only if it keeps links', async () => {
    await using fixture = await create()
    const { target } = await open(fixture)
    const link = { file: 1, kind: 'link', path: 'link', linkTarget: 'a', mtimeMs: 1_000_000, mode: 0o777 } as const
    const outside = { ...link, file: 2, path: 'outside', linkTarget: '../a' }
    const { failed } = await target.makeEmpty([link, outside])
    const refused = target.keeps.links ? [2] : [1, 2]
    expect(failed).toEqual(refused.map((file) => ({ file, code: 'LINK_REFUSED' })))
    await target.close('complete')
  })
}

function refusalCases(create: () => Promise<TargetFixture>): void {
  it('stores nothing of a span that does not match its leaf', async () => {
    await using fixture = await create()
    const { target } = await open(fixture)
    const file = sample('a', 10)
    const span = { ...spanOf(file, 0), leaf: leafHash(new Uint8Array(10)) }
    const written = await target.write({ block: blockOf(file.bytes), spans: [span] })
    expect(written).toMatchObject({ mismatched: [0], failed: [], uncommitted: 0 })
    await target.close('interrupted')
    expect(await fixture.file('a')).toBeUndefined()
  })

  it('fails a file below another file, drops its later spans, and takes the others', async () => {
    await using fixture = await create()
    await fixture.put('taken', new Uint8Array(3), 1_000_000)
    const { target } = await open(fixture)
    const blocked = sample('taken/large', 2 * LEAF_BYTES)
    expect(faultsOf((await write(target, blocked, [0])).failed)).toEqual(['TARGET_UNWRITABLE'])
    expect((await write(target, blocked, [1])).failed).toEqual([])
    const other = sample('other', 5)
    await write(target, other)
    await target.close('interrupted')
    await expectThere(fixture, other)
    expect((await fixture.file('taken'))?.bytes).toHaveLength(3)
  })

  it('replaces an older file in one step, and keeps it until then', async () => {
    await using fixture = await create()
    await fixture.put('a', new Uint8Array(9), 1_000_000)
    const { target } = await open(fixture)
    const file = sample('a', LEAF_BYTES + 9)
    await write(target, file)
    expect((await fixture.file('a'))?.bytes).toHaveLength(9)
    await target.commit()
    await expectThere(fixture, file)
    await target.close('complete')
  })
}

function resumptionCases(create: () => Promise<TargetFixture>): void {
  it('knows after an interruption what was committed, and goes on with what was not', async () => {
    await using fixture = await create()
    const first = await open(fixture)
    const small = sample('small', 10)
    const large = sample('large', 20 * LEAF_BYTES + 1)
    await write(first.target, small)
    await write(first.target, large, allLeaves(large).slice(0, -1))
    await first.target.close('interrupted')

    const second = await open(fixture)
    expect(second.state.isResumed).toBe(true)
    const files = new Map(second.state.files.map((file) => [file.path, file]))
    expect(files.get('small')).toMatchObject({ isCommitted: true, size: 10, mtimeMs: small.mtimeMs })
    const stored = files.get('large')?.leaves ?? []
    expect(stored.length).toBeGreaterThan(10)
    await write(
      second.target,
      large,
      allLeaves(large).filter((leaf) => !stored.includes(leaf)),
    )
    await second.target.close('complete')
    await expectThere(fixture, large)
    expect(await fixture.leftovers()).toEqual([])
  })

  it('asks for at least one leaf of a file that was complete and not committed', async () => {
    await using fixture = await create()
    const { target } = await open(fixture)
    const large = sample('large', 3 * LEAF_BYTES)
    await write(target, large)
    const second = await open(fixture)
    const [stored] = second.state.files
    const missing = allLeaves(large).filter((leaf) => stored?.leaves.includes(leaf) !== true)
    expect(missing.length).toBeGreaterThan(0)
    expect((await write(second.target, large, missing)).uncommitted).toBe(1)
    await second.target.close('complete')
    await expectThere(fixture, large)
  })

  it('does not vouch for a committed file that somebody has changed since', async () => {
    await using fixture = await create()
    const { target } = await open(fixture)
    await write(target, sample('a', 10))
    await target.close('interrupted')
    await fixture.put('a', new Uint8Array(11), 1_800_000_000_000)
    const { state } = await open(fixture)
    expect(state.files.filter(({ isCommitted }) => isCommitted)).toEqual([])
  })

  it('keeps tasks apart, or hands over what one left', async () => {
    await using fixture = await create()
    const { target } = await open(fixture)
    const isShared = fixture.tasks === 'shared'
    await write(target, sample('large', 3 * LEAF_BYTES), [0])
    await target.close('interrupted')
    const left = { path: 'large', size: 3 * LEAF_BYTES, isCommitted: false, leaves: [0] }
    const { state } = await open(fixture, OTHER_TASK)
    expect(state).toMatchObject(isShared ? { isResumed: true, files: [left] } : { isResumed: false, files: [] })
  })
}

function leafCases(create: () => Promise<TargetFixture>): void {
  it('knows after an interruption what was committed and which leaves were written', async () => {
    await using fixture = await create()
    const first = await open(fixture)
    expect(first.state).toMatchObject({ isResumed: false, files: [] })
    const small = sample('small', 10)
    const large = sample('large', 4 * LEAF_BYTES)
    await write(first.target, small)
    await write(first.target, large, [2, 0])
    await first.target.close('interrupted')

    const second = await open(fixture)
    expect(second.state.isResumed).toBe(true)
    const files = new Map(second.state.files.map((file) => [file.path, file]))
    expect(files.get('small')).toMatchObject({ isCommitted: true, size: 10, mtimeMs: small.mtimeMs })
    expect(files.get('large')).toMatchObject({ isCommitted: false, leaves: [0, 2] })
    await write(second.target, large, [1, 3])
    await second.target.close('complete')
    await expectThere(fixture, large)
    expect(await fixture.leftovers()).toEqual([])
  })

  it('knows the same after its process was killed', async () => {
    await using fixture = await create()
    const { target } = await open(fixture)
    const large = sample('large', 3 * LEAF_BYTES)
    await write(target, large, [1])
    const { state, target: second } = await open(fixture)
    expect(state.files).toMatchObject([{ path: 'large', isCommitted: false, leaves: [1] }])
    await write(second, large, [0, 2])
    await second.close('complete')
    await expectThere(fixture, large)
  })

  it('adopts the leaves of an earlier version that are the same, and only those', async () => {
    await using fixture = await create()
    const first = await open(fixture)
    const old = sample('large', 4 * LEAF_BYTES)
    await write(first.target, old, [0, 1, 2])
    await first.target.close('interrupted')

    const bytes = Uint8Array.from(old.bytes)
    bytes[LEAF_BYTES + 5] = (bytes[LEAF_BYTES + 5] ?? 0) ^ 1
    const fresh = { ...old, bytes, mtimeMs: old.mtimeMs + 1000 }
    const { target } = await open(fixture)
    expect(await target.adopt(spanOf(fresh, 0))).toMatchObject({ isSame: true, failed: [] })
    expect(await target.adopt(spanOf(fresh, 1))).toMatchObject({ isSame: false })
    expect(await target.adopt(spanOf(fresh, 2))).toMatchObject({ isSame: true })
    expect(await target.adopt(spanOf(fresh, 3))).toMatchObject({ isSame: false })
    await write(target, fresh, [1, 3])
    await target.close('complete')
    await expectThere(fixture, fresh)
    expect(await fixture.leftovers()).toEqual([])
  })
}
