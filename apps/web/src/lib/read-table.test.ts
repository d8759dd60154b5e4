import { describe, expect, it } from 'vitest'
import { readTable } from './read-table.ts'

const COMPOUND = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0)

describe('a table of a person', () => {
  it('comes out of text, without empty lines', async () => {
    expect(await readTable(new File(['name,mail\n,\nMia,mia@example.org\n'], 'a.csv'))).toEqual([
      ['name', 'mail'],
      ['Mia', 'mia@example.org'],
    ])
  })

  it.each(['old.xls', 'locked.xlsx'])('is refused with the way out when %s is a binary workbook', async (name) => {
    await expect(readTable(new File([COMPOUND], name))).rejects.toMatchObject({ code: 6200 })
  })

  it.each(['damaged.xls', 'damaged.xlsx'])('is refused when %s is no workbook', async (name) => {
    await expect(readTable(new File(['<html>'], name))).rejects.toMatchObject({ code: 6051 })
  })
})
