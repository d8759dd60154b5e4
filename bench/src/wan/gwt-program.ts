import { dirname, join } from 'node:path'

const PROGRAM = join(import.meta.dirname, '../../../packages/transfer/bin/gwt.js')

/** The words that begin gwt as a user does, by its own first line, on the Node that runs this, both sides with one code. */
export const GWT: readonly string[] = [
  'env',
  `PATH=${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
  'GWT_CODE=bench-on-one-machine',
  PROGRAM,
]
