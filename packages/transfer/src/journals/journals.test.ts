import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeJournal, encodeRecord, journalHead, type JournalRecord } from './journal.codec.ts'
import { replay } from './replay.ts'

const taskId = new Uint8Array(16).fill(3)
const hash = new Uint8Array(32).fill(5)
const expected = { taskId, hashId: 2 }

const record: fc.Arbitrary<JournalRecord> = fc.oneof(
  fc.record({
    type: fc.constant('file' as const),
    file: fc.nat(5),
    path: fc.constantFrom('a', 'b/ç', '塍'),
    size: fc.maxSafeNat(),
    mtimeMs: fc.maxSafeNat(),
  }),
  fc.record({ type: fc.constant('block' as const), file: fc.nat(5), leaf: fc.nat(100), hash: fc.constant(hash) }),
  fc.record({ type: fc.constant('done' as const), file: fc.nat(5) }),
  fc.constant({ type: 'clean' as const }),
)

function journal(records: readonly JournalRecord[]): Uint8Array {
  return Buffer.concat([journalHead(taskId, 2), ...records.map(encodeRecord)])
}

describe('a journal', () => {
  it('comes back as it was written', () => {
    fc.assert(
      fc.property(fc.array(record), (records) => {
        const bytes = journal(records)
        expect(decodeJournal(bytes, expected)).toEqual({ records, wholeBytes: bytes.length })
      }),
    )
  })

  it('gives its whole records when a crash cut or garbled its end', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1 }), fc.nat(), fc.boolean(), (records, where, isCut) => {
        const bytes = journal(records).slice()
        const head = journalHead(taskId, 2).length
        const at = head + (where % (bytes.length - head))
        if (!isCut) bytes[at] = (bytes[at] ?? 0) ^ 0x55
        const text = decodeJournal(isCut ? bytes.subarray(0, at) : bytes, expected)
        expect(text?.wholeBytes).toBeLessThanOrEqual(at)
        expect(text?.records).toEqual(records.slice(0, text?.records.length))
      }),
    )
  })

  it('is none of ours with another task, another hash or another head', () => {
    expect(decodeJournal(journal([]), { taskId: new Uint8Array(16), hashId: 2 })).toBeUndefined()
    expect(decodeJournal(journal([]), { taskId, hashId: 1 })).toBeUndefined()
    expect(decodeJournal(new Uint8Array(5), expected)).toBeUndefined()
  })
})

describe('the records of a journal', () => {
  const file = { type: 'file', file: 1, path: 'a', size: 100, mtimeMs: 7 } as const
  const block = (leaf: number) => ({ type: 'block', file: 1, leaf, hash }) as const

  it('distrusts the last claims after a stop that was not orderly', () => {
    const past = replay([file, block(0), block(1), block(2)], 2)
    expect([...(past.files.get('a')?.leaves.keys() ?? [])]).toEqual([0, 1, 2])
    expect(past.doubtful).toEqual([
      { path: 'a', leaf: 1 },
      { path: 'a', leaf: 2 },
    ])
  })

  it('trusts everything before an orderly stop', () => {
    expect(replay([file, block(0), { type: 'clean' }], 64).doubtful).toEqual([])
  })

  it('forgets the leaves of a source that has changed', () => {
    const past = replay([file, block(0), { ...file, mtimeMs: 8 }], 64)
    expect(past.files.get('a')?.leaves.size).toBe(0)
  })
})
