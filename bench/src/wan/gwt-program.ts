import { dirname, join } from 'node:path'

const PROGRAM = join(import.meta.dirname, '../../../packages/transfer/bin/gwt.js')

/** The words that begin gwt as a user does, by its own first line, on the Node that runs this. */
export const GWT: readonly string[] = ['env', `PATH=${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, PROGRAM]
