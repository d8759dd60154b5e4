import type { EngineEvents, TransferResult } from '@godwit/transfer'
import { describeFailure, describeResult, type Output } from '@godwit/transfer/cli'
import { apiHostOf } from '../transfers/connect.ts'
import { EarlyLine } from '../transfers/early-line.ts'
import type { TransferParts } from '../transfers/upload.ts'
import type { Attempt } from '../transfers/until-done.ts'
import type { Context, SignedIn } from './context.ts'
import { requireTime } from './required-time.ts'

export const EXIT = { done: 0, failed: 1, usage: 2, partial: 3 } as const

export function earlyLine({ profiles }: Context, { profile }: SignedIn): EarlyLine {
  return new EarlyLine(profile.server, profiles)
}

/** A transfer of a command: it reports on the terminal, and the same command goes on where it stopped. */
export function partsOf(
  { options, output, profiles, signal }: Context,
  { profile, api }: SignedIn,
  early?: EarlyLine,
): TransferParts {
  const { udp, rate, by } = options
  return {
    ...{ profile, api, kept: profiles },
    ...(by === undefined ? {} : { deadline: requireTime(by) }),
    link: { apiHost: apiHostOf(profile), udp: udp ? 'auto' : 'off', rate, signal, ...(early && { early }) },
    eventsOf: (attempt) => report(output, attempt),
    onRetry: (reason) => output.emit('retry', { reason }, `no connection (${reason}), trying again`),
  }
}

/** Reports what an engine reports. */
function report(output: Output, attempt: Attempt): EngineEvents {
  return {
    progress(progress) {
      attempt.movedBytes = progress.bytesMoved
      output.progress(progress)
    },
    path: (path) => output.emit('path', { ...path }, path.text),
    fileFailed: (failure) => output.emit('file-failed', { ...failure }, describeFailure(failure)),
  }
}

export function reportEnd(output: Output, result: TransferResult, ms: number): number {
  const seconds = ms / 1000
  output.emit('done', { ...result, seconds }, describeResult(result, seconds))
  return result.failures.length === 0 ? EXIT.done : EXIT.partial
}
