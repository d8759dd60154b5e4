import { envelopeData, Unreachable } from '../../../lib/http.ts'

export interface Send {
  readonly method: 'PUT' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Blob | ArrayBuffer
  readonly signal: AbortSignal
  /** Bytes that left so far. */
  readonly onProgress: (bytes: number) => void
}

/** @throws ApiFailure, Unreachable */
async function answerOf(request: XMLHttpRequest): Promise<unknown> {
  return envelopeData(request.responseText, request.status === 200)
}

/** A connection that moves no byte for so long is given up and tried again. */
const STALL_MS = 60_000

/**
 * Sends bytes and tells how many left: fetch cannot say that.
 * @returns the data of the answer's envelope
 * @throws ApiFailure, Unreachable, and the signal's reason
 */
export function sendBytes({ method, url, headers, body, signal, onProgress }: Send): Promise<unknown> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    let timer: ReturnType<typeof setTimeout> | undefined
    const watch = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => request.abort(), STALL_MS)
    }
    const abort = (): void => request.abort()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.upload.onprogress = ({ loaded }) => {
      watch()
      onProgress(loaded)
    }
    request.onload = () => {
      resolve(answerOf(request))
    }
    request.onerror = () => reject(new Unreachable())
    request.onabort = () => reject(signal.aborted ? (signal.reason as Error) : new Unreachable())
    request.onloadend = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
    signal.addEventListener('abort', abort)
    watch()
    request.send(body)
  })
}
