import { MiB } from '@godwit/base'
import type { ClientProgram } from './client-program.ts'

export type KilledSide = 'client' | 'server' | 'both'

/** Progress comes every 200 ms: what moved since is not known of a killed program. */
const UNSEEN_BYTES = 4 * MiB
/** What one kill may cost: what was not acknowledged yet comes again. */
export const MOST_AGAIN_BYTES = 16 * MiB + UNSEEN_BYTES
/** Moves on so far between two kills. */
const STEP_BYTES = 2 * MiB

export interface KillRounds {
  /** Runs the same command, a transfer. */
  readonly start: () => ClientProgram
  /** Kills the server and starts it again on the same data and port. */
  readonly restartServer: () => Promise<void>
}

export interface KillResult {
  readonly kills: number
  /** File bytes that crossed the network in all runs together. */
  readonly movedBytes: number
}

/**
 * Kills one side or both again and again while a transfer moves on, and lets it end.
 * @throws Error when it ends with anything but success
 */
export async function runOverKills(sides: readonly KilledSide[], rounds: KillRounds): Promise<KillResult> {
  let program = rounds.start()
  let movedBytes = 0
  let kills = 0
  for (const side of sides) {
    const before = program.progress('bytesDone')
    await program.until(() => program.progress('bytesDone') > before + STEP_BYTES)
    if (!program.isRunning) break
    kills++
    if (side !== 'server') await program.kill()
    if (side !== 'client') await rounds.restartServer()
    if (side === 'server') continue
    movedBytes += program.movedBytes
    program = rounds.start()
  }
  const code = await program.exitCode()
  if (code !== 0) throw new Error(`the transfer ended with ${code} after ${kills} kills`)
  return { kills, movedBytes: movedBytes + program.movedBytes }
}
