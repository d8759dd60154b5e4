import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** How late the event loop of another process is. That process loads this file too, and is told by FILE where to write. */
export interface LoopDelay {
  /** For the process to be watched. */
  readonly env: Readonly<Record<string, string>>
  /** At the 99th percentile since its start. */
  lateMs(): number
}

const FILE = 'LOOP_DELAY_FILE'
const RESOLUTION_MS = 10
const WRITE_MS = 200

export function watchLoop(): LoopDelay {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-loop-')), 'late')
  return {
    env: { NODE_OPTIONS: `--import ${import.meta.url}`, [FILE]: file },
    lateMs: () => Number(fs.readFileSync(file, 'utf8')),
  }
}

const told = process.env[FILE]
if (told !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  setInterval(() => fs.writeFileSync(told, String(delay.percentile(99) / 1e6)), WRITE_MS).unref()
}
