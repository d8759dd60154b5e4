import { nameFault } from '@godwit/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requireHarmless } from './archive-limits.ts'
import { decodedName, unpackedNames } from './unpacked-names.ts'

describe('the name of an entry', () => {
  it('is read as UTF-8 with and without the flag, and as GBK where it is no UTF-8', () => {
    const utf8 = Buffer.from('报告.txt')
    expect([decodedName(utf8, 0x800), decodedName(utf8, 0)]).toEqual(['报告.txt', '报告.txt'])
    expect(decodedName(Buffer.from([0xb1, 0xa8, 0xb8, 0xe6]), 0)).toBe('报告')
  })

  it('stays within the folder and becomes a name that may be created', () => {
    expect(unpackedNames('a/b.txt')).toEqual(['a', 'b.txt'])
    expect(unpackedNames('/etc/./passwd')).toEqual(['etc', 'passwd'])
    expect(unpackedNames('a\\b.txt')).toEqual(['a', 'b.txt'])
    expect(unpackedNames('a/../../b')).toBeUndefined()
    expect(unpackedNames('__MACOSX/._a')).toEqual([])
    expect(unpackedNames('C:/con/a:b.txt')?.map((name) => nameFault(name))).toEqual([undefined, undefined, undefined])
  })

  it('breaks no rule, whatever stands in the archive', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(0, 0x800), (raw, flags) => {
        for (const name of unpackedNames(decodedName(raw, flags)) ?? []) expect(nameFault(name)).toBeUndefined()
      }),
    )
  })
})

describe('an archive', () => {
  const MiB = 2 ** 20
  const ordinary = { entries: 10, packedBytes: 90, unpackedBytes: 900, archiveBytes: 100 }

  it('may be ordinary, also a small one of zeros', () => {
    expect(() => requireHarmless(ordinary)).not.toThrow()
    expect(() => requireHarmless({ ...ordinary, archiveBytes: MiB, unpackedBytes: 1000 * MiB })).not.toThrow()
  })

  it('is refused when it is made to fill a disk', () => {
    const refused = (change: Partial<typeof ordinary>, code: string) =>
      expect(() => requireHarmless({ ...ordinary, ...change })).toThrow(expect.objectContaining({ code }) as Error)
    refused({ entries: 100_001 }, 'ARCHIVE_TOO_LARGE')
    refused({ archiveBytes: 10 * MiB, unpackedBytes: 2001 * MiB }, 'ARCHIVE_TOO_LARGE')
    // Entries that share their bytes.
    refused({ packedBytes: 101 }, 'ARCHIVE_UNREADABLE')
  })
})
