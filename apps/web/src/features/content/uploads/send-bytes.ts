import type { CallInput, RouteRef, RouteReply, RouteSpec } from '@godwit/contract'
import { envelopeData, routeAddress } from '@godwit/contract/client'
import { serverUnavailable } from '@godwit/contract/wire/api-error'

export interface Sending {
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** Bytes that left so far. */
  readonly onProgress: (bytes: number) => void
}

/** A connection that moves no byte for so long is given up and tried again. */
const STALL_MS = 60_000

/**
 * Calls a route that takes bytes and reports how many left, which fetch cannot.
 * @throws ApiError, and the signal's reason
 */
export function sendBytes<Spec extends RouteSpec & { readonly raw: 'request' }>(
  route: RouteRef<Spec>,
  input: CallInput<Spec> & { readonly body: Blob },
  { headers, signal, onProgress }: Sending,
): Promise<RouteReply<RouteRef<Spec>>> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    let timer: ReturnType<typeof setTimeout> | undefined
    const watch = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => request.abort(), STALL_MS)
    }
    const abort = (): void => request.abort()
    request.open(route.method, routeAddress(route, input))
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.upload.onprogress = ({ loaded }) => {
      watch()
      onProgress(loaded)
    }
    request.onload = () => {
      resolve(replyOf(request) as Promise<RouteReply<RouteRef<Spec>>>)
    }
    request.onerror = () => reject(serverUnavailable())
    request.onabort = () => reject(signal.aborted ? (signal.reason as Error) : serverUnavailable())
    request.onloadend = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
    signal.addEventListener('abort', abort)
    watch()
    request.send(input.body)
  })
}

async function replyOf({ status, responseText }: XMLHttpRequest): Promise<unknown> {
  return envelopeData(status, responseText)
}
