import type { ObjectReader } from '@godwit/storage'
import { describe, expect, it } from 'vitest'
import { openZip } from './zip-reader.ts'

/** A zip of empty files that is a directory and nothing else. */
function directoryOf(count: number, commentBytes: number): Buffer {
  const comment = Buffer.alloc(commentBytes, 'c')
  const records = Array.from({ length: count }, (_, number) => {
    const name = Buffer.from(String(number))
    const record = Buffer.alloc(46)
    record.writeUInt32LE(0x0201_4b50, 0)
    record.writeUInt16LE(name.length, 28)
    record.writeUInt16LE(comment.length, 32)
    return Buffer.concat([record, name, comment])
  })
  const directory = Buffer.concat(records)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x0605_4b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(directory.length, 12)
  return Buffer.concat([directory, end])
}

function readerOf(bytes: Buffer): ObjectReader {
  return {
    entry: { key: 'a.zip', kind: 'file', size: bytes.length, modifiedMs: 0, etag: 'e' },
    async *stream({ start = 0, end = bytes.length } = {}) {
      yield bytes.subarray(start, end)
    },
    close: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

describe('the directory of a zip', () => {
  it('is read with all that it says of its entries', async () => {
    const { entries } = await openZip(readerOf(directoryOf(3, 60_000)))
    expect(entries.map(({ fileNameRaw }) => String(fileNameRaw))).toEqual(['0', '1', '2'])
  })

  it('is refused when it says more of few entries than memory should hold', async () => {
    const hostile = readerOf(directoryOf(1_100, 65_535))
    await expect(openZip(hostile)).rejects.toMatchObject({ code: 'ARCHIVE_TOO_LARGE' })
  })
})
