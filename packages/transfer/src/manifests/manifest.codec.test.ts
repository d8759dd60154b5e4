import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TransferError } from '../errors/transfer-error.ts'
import { WireReader, WireWriter } from '../messages/wire.ts'
import type { ManifestEntry } from './entry.ts'
import { MAX_BATCH_ENTRIES, readBatch, writeBatch } from './manifest.codec.ts'
import { checkPath, type SafePath } from './paths.ts'

const safePath = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .map((text) => checkPath(text))
  .filter((checked) => checked.ok)
  .map((checked) => (checked.ok ? checked.path : ('' as SafePath)))

const attributes = { path: safePath, mtimeMs: fc.maxSafeNat(), mode: fc.nat(0o777) }
const entry: fc.Arbitrary<ManifestEntry> = fc.oneof(
  fc.record({ ...attributes, kind: fc.constant('file' as const), size: fc.maxSafeNat() }),
  fc.record({ ...attributes, kind: fc.constant('directory' as const), size: fc.constant(0) }),
  fc.record({
    ...attributes,
    kind: fc.constant('link' as const),
    size: fc.constant(0),
    linkTarget: fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => text.isWellFormed()),
  }),
)

describe('a manifest batch', () => {
  it('comes back as it was written', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 20 }), (entries) => {
        const out = new WireWriter()
        writeBatch(out, entries)
        const input = new WireReader(out.finish())
        expect(readBatch(input)).toEqual(entries)
        expect(input.remaining).toBe(0)
      }),
    )
  })

  it('is refused whole when one path in it is evil', () => {
    const good: ManifestEntry = { kind: 'file', path: 'ok' as SafePath, size: 1, mtimeMs: 0, mode: 0o644 }
    const out = new WireWriter()
    writeBatch(out, [good, { ...good, path: '../../root/.ssh/authorized_keys' as SafePath }])
    expect(() => readBatch(new WireReader(out.finish()))).toThrow(
      expect.objectContaining({ code: 'PATH_REFUSED' }) as Error,
    )
  })

  it('throws nothing but typed errors on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          readBatch(new WireReader(bytes))
        } catch (error) {
          expect(error).toBeInstanceOf(TransferError)
        }
      }),
      { numRuns: 20_000 },
    )
  })

  it('never announces more entries than a batch may hold', () => {
    const bytes = new WireWriter().integer(MAX_BATCH_ENTRIES + 1).finish()
    expect(() => readBatch(new WireReader(bytes))).toThrow(TransferError)
  })
})
