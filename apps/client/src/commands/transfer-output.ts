import type { EngineEvents, TransferResult } from '@godwit/transfer'
import { describeFailure, describeResult, type Output } from '@godwit/transfer/cli'
import type { Profile } from '../profiles/profile.ts'
import type { Link } from '../transfers/connect.ts'
import type { Attempt } from '../transfers/until-done.ts'
import type { Context } from './context.ts'

export const EXIT = { done: 0, failed: 1, usage: 2, partial: 3 } as const

export function linkOf({ options, signal }: Context, { server }: Profile): Link {
  const apiHost = new URL(server).hostname.replace(/^\[|\]$/g, '')
  return { apiHost, udp: options.udp ? 'auto' : 'off', rate: options.rate, signal }
}

/** Reports what an engine reports. */
export function report(output: Output, attempt: Attempt): EngineEvents {
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

export function reportRetry(output: Output, reason: string): void {
  output.emit('retry', { reason }, `no connection (${reason}), trying again`)
}
