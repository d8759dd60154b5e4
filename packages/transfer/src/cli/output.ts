import { systemClock } from '@godwit/base'
import type { TransferProgress, TransferResult } from '../engines/engine.types.ts'
import type { KeptAttributes } from '../messages/messages.ts'
import { describeBottleneck } from '../progress/bottleneck.ts'
import type { FileFailure } from '../sources/source.ts'

/** Where a command reports: lines for people, or one JSON object a line with --json. */
export interface Output {
  /** @param lines for people; each is escaped by itself, so that nothing in it can begin another one */
  emit(event: string, facts: Readonly<Record<string, unknown>>, ...lines: readonly string[]): void
  progress(progress: TransferProgress): void
}

export interface OutputOptions {
  readonly json: boolean
  /** Standard output carries a file; reports go to standard error. */
  readonly isStdoutTaken?: boolean
  /** Where reports and progress go, and what the time is; this process without them. */
  readonly streams?: { readonly out: TextStream; readonly err: TextStream & { readonly isTTY?: boolean } }
  readonly nowMs?: () => number
}

interface TextStream {
  write(text: string): unknown
}

/** Between two lines of progress where nobody watches them change, such as in the log of a job. */
const LINE_EVERY_MS = 10_000

export function createOutput(options: OutputOptions): Output {
  const { json, isStdoutTaken = false, streams = { out: process.stdout, err: process.stderr } } = options
  const stream = isStdoutTaken ? streams.err : streams.out
  return json ? jsonOutput(stream) : textOutput(stream, streams.err, options.nowMs ?? systemClock.monotonic)
}

function jsonOutput(stream: TextStream): Output {
  return {
    emit: (event, facts) => stream.write(`${toJsonLine({ event, ...facts })}\n`),
    progress: (progress) => stream.write(`${toJsonLine({ event: 'progress', ...progress })}\n`),
  }
}

function textOutput(stream: TextStream, err: TextStream & { readonly isTTY?: boolean }, nowMs: () => number): Output {
  const live = err.isTTY === true
  let width = 0
  let saidAt = nowMs()
  return {
    emit(_event, _facts, ...lines) {
      if (width > 0) err.write('\n')
      width = 0
      for (const line of lines) stream.write(`${escaped(line)}\n`)
    },
    progress(progress) {
      const line = describeProgress(progress)
      if (!live) {
        if (nowMs() - saidAt < LINE_EVERY_MS) return
        saidAt = nowMs()
        err.write(`${escaped(line)}\n`)
        return
      }
      err.write(`\r${line.padEnd(width)}`)
      width = line.length
    },
  }
}

/**
 * Ends this program as SIGTERM does once nobody reads its output any more, as behind `| head`: the other side is told, and no
 * trace of an error is printed. What else goes wrong with a stream is reported where the content of a file is written to it.
 */
export function endWhenUnread(): void {
  let isEnding = false
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // Each further line fails as well, and a second signal would not wait for the other side.
      if (error.code === 'EPIPE' && !isEnding) process.kill(process.pid, 'SIGTERM')
      isEnding ||= error.code === 'EPIPE'
    })
  }
}

/** Control characters, line separators, and characters that change the direction of text. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** Names and reasons are untrusted: none may move the cursor, forge a line or reverse the text after it. */
export function escaped(text: string): string {
  return text.replaceAll(UNSAFE, (letter) => `\\u{${letter.codePointAt(0)?.toString(16) ?? ''}}`)
}

/** JSON that is safe to show on a terminal as well. */
export function toJsonLine(facts: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(facts).replaceAll(
    UNSAFE,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

export function describeProgress(progress: TransferProgress): string {
  // The list is still growing, so no percentage is known.
  const share =
    progress.state === 'listing'
      ? `listing, ${megabytes(progress.bytesDone)}`
      : `${progress.bytes === 0 ? 100 : Math.floor((progress.bytesDone / progress.bytes) * 100)} %`
  const left = progress.secondsLeft === undefined ? '' : `, ${Math.ceil(progress.secondsLeft)} s left`
  const limit = progress.bottleneck === undefined ? '' : `, ${describeBottleneck(progress.bottleneck)}`
  return `${share}, ${progress.filesDone}/${progress.files} files, ${megabits(progress.bytesPerSecond)}${left}${limit}`
}

export function describeResult(result: TransferResult, seconds: number): string {
  const sent = result.bytes - result.keptBytes
  const kept = result.keptBytes === 0 ? '' : ` (${result.keptBytes} bytes were there already)`
  const failed = result.failures.length === 0 ? '' : `, ${result.failures.length} failed`
  const left = describeVerdicts(result.verdicts)
  return `${result.files} files${left}, ${result.bytes} bytes${kept} in ${seconds.toFixed(1)} s, ${megabits(sent / seconds)}${failed}`
}

/** Counts of files that were not simply transferred. */
export function describeVerdicts(verdicts: TransferResult['verdicts']): string {
  const { new: fresh, replaced, same, newer, existing } = verdicts
  const parts = [
    [fresh, 'new'],
    [replaced, 'to replace'],
    [same, 'unchanged'],
    [newer, 'newer there'],
    [existing, 'kept there'],
  ] as const
  const texts = parts.filter(([count]) => count > 0).map(([count, text]) => `${count} ${text}`)
  return texts.length === 0 ? '' : ` (${texts.join(', ')})`
}

const REASONS: Readonly<Record<string, string>> = {
  TARGET_NEWER:
    'kept, since it is newer at the receiver (--overwrite replaces it, --update leaves it without an error)',
  LINK: 'a symbolic link (--links sends it)',
  LINK_REFUSED:
    'a symbolic link that the receiver does not make (recv --links makes those that stay inside its folder)',
  NOT_A_FILE: 'neither a file nor a folder',
}

/** A line about a file that failed. */
export function describeFailure({ path, code }: FileFailure): string {
  return `${path}: ${REASONS[code] ?? code}`
}

/** Which attributes a transfer preserves, in one line. */
export function describeKept(keeps: KeptAttributes, sendsLinks: boolean): string {
  const kept = ['contents', 'names', 'times']
  const lost: string[] = []
  const note = (isKept: boolean, name: string, remedy: string): void => {
    if (isKept) kept.push(name)
    else lost.push(`${name} ${remedy}`)
  }
  note(keeps.permissions, 'permissions', 'beyond rwxr-x--- (recv --perms)')
  note(keeps.links && sendsLinks, 'links', '(--links at both sides)')
  note(keeps.holes, 'holes', '(recv --sparse)')
  return `Kept: ${kept.join(', ')}. Not kept: ${[...lost, 'owners', 'extended attributes', 'hard links'].join(', ')}.`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

function megabits(bytesPerSecond: number): string {
  return `${((bytesPerSecond * 8) / 1e6).toFixed(1)} Mbit/s`
}
