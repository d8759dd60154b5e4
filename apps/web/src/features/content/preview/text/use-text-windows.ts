import { useCallback, useEffect, useRef, useState } from 'react'
import { detectEncoding, type Encoding } from './encodings.ts'
import { readSpan } from '../read-spans.ts'
import { TEXT_MAX_BYTES, WINDOW_BYTES } from './window-sizes.ts'

/** Takes decoded text piece by piece. */
export interface TextSink {
  add(text: string, isLast: boolean): void
}

export interface TextWindows<Sink> {
  /** Undefined until the first piece is there. */
  readonly sink: Sink | undefined
  readonly encoding: Encoding
  readonly isLoading: boolean
  readonly isWhole: boolean
  /** Fetches the next piece unless one is on its way. */
  readonly more: () => void
}

export interface TextSource<Sink> {
  readonly url: string
  readonly size: number
  /** Undefined: found out from the first piece. */
  readonly chosen: Encoding | undefined
  readonly onBroken: (error: unknown) => void
  /** Called with the first text. */
  readonly createSink: (text: string) => Sink
}

interface Reading<Sink> {
  at: number
  encoding: Encoding
  decoder: TextDecoder | undefined
  sink: Sink | undefined
  isLoading: boolean
}

/** A text that is fetched and decoded as far as it is looked at, up to 50 MB. */
export function useTextWindows<Sink extends TextSink>(source: TextSource<Sink>): TextWindows<Sink> {
  const { url, size, chosen } = source
  const end = Math.min(size, TEXT_MAX_BYTES)
  const [, setStep] = useState(0)
  const latest = useRef(source)
  latest.current = source
  const reading = useRef<Reading<Sink>>(newReading(chosen))
  const stop = useRef<AbortController>(undefined)
  const more = useCallback(() => {
    const now = reading.current
    const signal = stop.current?.signal
    if (now.isLoading || now.at >= end || signal === undefined) return
    now.isLoading = true
    setStep((step) => step + 1)
    readNext(now, { ...latest.current, end, signal })
      .catch((error: unknown) => {
        if (!signal.aborted) latest.current.onBroken(error)
      })
      .finally(() => {
        now.isLoading = false
        if (!signal.aborted) setStep((step) => step + 1)
      })
  }, [end])
  useEffect(() => {
    reading.current = newReading(chosen)
    stop.current = new AbortController()
    more()
    return () => stop.current?.abort()
  }, [url, chosen, more])
  const { sink, encoding, isLoading, at } = reading.current
  return { sink, encoding, isLoading, isWhole: at >= end, more }
}

function newReading<Sink>(chosen: Encoding | undefined): Reading<Sink> {
  return { at: 0, encoding: chosen ?? 'utf-8', decoder: undefined, sink: undefined, isLoading: false }
}

interface NextSpan<Sink> extends TextSource<Sink> {
  readonly end: number
  readonly signal: AbortSignal
}

async function readNext<Sink extends TextSink>(now: Reading<Sink>, source: NextSpan<Sink>): Promise<void> {
  const { url, chosen, createSink, end, signal } = source
  const bytes = await readSpan(url, now.at, Math.min(now.at + WINDOW_BYTES, end), signal)
  signal.throwIfAborted()
  if (now.decoder === undefined) {
    now.encoding = chosen ?? detectEncoding(bytes)
    now.decoder = new TextDecoder(now.encoding)
  }
  // A file that became shorter ends here.
  const isLast = bytes.length === 0 || now.at + bytes.length >= end
  const text = now.decoder.decode(bytes, { stream: !isLast })
  now.sink ??= createSink(text)
  now.sink.add(text, isLast)
  now.at = isLast ? end : now.at + bytes.length
}
