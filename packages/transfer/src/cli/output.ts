import type { TransferProgress, TransferResult } from '../engines/engine.types.ts'

/** Where a command speaks: lines for people, or one JSON object a line with --json. */
export interface Output {
  /** A fact worth a line. */
  say(event: string, facts: Readonly<Record<string, unknown>>, text: string): void
  progress(progress: TransferProgress): void
}

export function createOutput(json: boolean): Output {
  return json ? jsonOutput() : textOutput()
}

function jsonOutput(): Output {
  return {
    say: (event, facts) => console.log(JSON.stringify({ event, ...facts })),
    progress: (progress) => console.log(JSON.stringify({ event: 'progress', ...progress })),
  }
}

function textOutput(): Output {
  const live = process.stderr.isTTY
  let width = 0
  return {
    say(_event, _facts, text) {
      if (width > 0) process.stderr.write('\n')
      width = 0
      console.log(printable(text))
    },
    progress(progress) {
      if (!live) return
      const line = describeProgress(progress)
      process.stderr.write(`\r${line.padEnd(width)}`)
      width = line.length
    },
  }
}

/** Names come from anywhere: none may move the cursor, forge a line or turn the direction of what follows. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, (letter) =>
    letter === '\n' ? letter : `\\u{${letter.codePointAt(0)?.toString(16) ?? ''}}`,
  )
}

export function describeProgress(progress: TransferProgress): string {
  // Nobody knows a share of a list that still grows.
  const share =
    progress.state === 'listing'
      ? `listing, ${megabytes(progress.bytesDone)}`
      : `${progress.bytes === 0 ? 100 : Math.floor((progress.bytesDone / progress.bytes) * 100)} %`
  const left = progress.secondsLeft === undefined ? '' : `, ${Math.ceil(progress.secondsLeft)} s left`
  const limit = progress.bottleneck === undefined ? '' : `, ${progress.bottleneck.name}: ${progress.bottleneck.text}`
  return `${share}, ${progress.filesDone}/${progress.files} files, ${megabits(progress.bytesPerSecond)}${left}${limit}`
}

export function describeResult(result: TransferResult, seconds: number): string {
  const sent = result.bytes - result.keptBytes
  const kept = result.keptBytes === 0 ? '' : ` (${result.keptBytes} bytes were there already)`
  const failed = result.failures.length === 0 ? '' : `, ${result.failures.length} failed`
  return `${result.files} files, ${result.bytes} bytes${kept} in ${seconds.toFixed(1)} s, ${megabits(sent / seconds)}${failed}`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

function megabits(bytesPerSecond: number): string {
  return `${((bytesPerSecond * 8) / 1e6).toFixed(1)} Mbit/s`
}
