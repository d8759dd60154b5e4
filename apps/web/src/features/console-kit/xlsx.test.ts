import readXlsxFile from 'read-excel-file/node'
import { describe, expect, it } from 'vitest'
import { xlsxOf } from './xlsx.ts'

async function* batchesOf(rows: ReadonlyArray<readonly string[]>, size = 2) {
  for (let at = 0; at < rows.length; at += size) yield await Promise.resolve(rows.slice(at, at + size))
}

async function readBack(rows: ReadonlyArray<readonly string[]>) {
  const blob = await xlsxOf(batchesOf(rows))
  const [sheet] = await readXlsxFile(Buffer.from(await blob.arrayBuffer()), { trim: false })
  return sheet?.data
}

describe('a list as a workbook', () => {
  it('is read back as it was written, formulas and numbers as text', async () => {
    const rows = [
      ['名称', 'Note'],
      ['=1+1', '@SUM(A1)'],
      ['007', '<b>&amp;</b> "x"'],
      [' two\nlines ', '_x0041_'],
    ]
    expect(await readBack(rows)).toEqual(rows)
  })

  it('leaves out what no workbook may hold, and what is too long for a cell', async () => {
    const data = await readBack([['a\u0000b\u001bc\uFFFE', 'x'.repeat(40_000)]])
    expect(data).toEqual([['abc', 'x'.repeat(32_767)]])
  })

  it('writes 100,000 rows a batch at a time, of which it keeps what is compressed', async () => {
    let written = 0
    async function* many() {
      for (let batch = 0; batch < 2_000; batch++) {
        written += 50
        yield await Promise.resolve(Array.from({ length: 50 }, (_, at) => [`account_${batch}_${at}`, 'Mia Lin', '=1']))
      }
    }
    const blob = await xlsxOf(many())
    expect(written).toBe(100_000)
    expect(blob.size).toBeLessThan(3_000_000)
  })
})
