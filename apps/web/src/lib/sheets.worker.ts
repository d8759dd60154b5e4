import readXlsxFile from 'read-excel-file/web-worker'
import { cellText } from './cell-text.ts'
import type { SheetReply } from './sheet-messages.ts'

/** Cells of a row that are read. */
const MAX_CELLS = 500

/** Reads one workbook away from the page's own thread. */
self.onmessage = ({ data }: MessageEvent<Blob>) => void answer(data)

async function answer(workbook: Blob): Promise<void> {
  try {
    const sheets = await readXlsxFile(workbook, { trim: false })
    const shown = sheets.map(({ sheet, data }) => ({
      name: sheet,
      rows: data.map((row) => row.slice(0, MAX_CELLS).map(cellText)),
    }))
    reply({ kind: 'sheets', sheets: shown })
  } catch (error) {
    reply({ kind: 'failed', reason: String(error) })
  }
}

function reply(message: SheetReply): void {
  self.postMessage(message)
}
