import type { Clock } from '@godwit/base'
import type { ServerProbe } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import type { Api } from '../../../lib/http.ts'
import { isPaced, proxyFindings, type ProxyFinding } from './proxy-checks.ts'

/** As large as a part of an upload: what lets this pass lets uploads pass. */
const SENT_BYTES = 8 * 1024 * 1024
/** Whatever takes longer does not work. */
const LIMIT_MS = 10_000

export interface ProxyDeps {
  readonly api: Api
  readonly clock: Pick<Clock, 'monotonic'>
}

/** Goes the ways of uploads and sockets once. @throws the signal's reason */
export async function askProxies({ api, clock }: ProxyDeps, given: AbortSignal): Promise<readonly ProxyFinding[]> {
  const limited = (): AbortSignal => AbortSignal.any([given, AbortSignal.timeout(LIMIT_MS)])
  const signal = limited()
  const [seen, hasSocket] = await Promise.all([probe(api, signal), opensSocket(signal)])
  // Alone, since what is sent beside it would hold its bytes up as well.
  let paceMs = await pace({ api, clock }, limited())
  // A computer that was busy for a moment looks like a proxy that holds back; a proxy does it every time.
  if (paceMs !== undefined && !isPaced(paceMs)) paceMs = await pace({ api, clock }, limited())
  given.throwIfAborted()
  return proxyFindings({
    ...{ probe: seen, sentBytes: SENT_BYTES, hasSocket, paceMs },
    isHttps: location.protocol === 'https:',
  })
}

async function probe(api: Api, signal: AbortSignal): Promise<ServerProbe | undefined> {
  try {
    const { method, path } = routes.serverControl.probe
    const headers = { ...api.headers(), 'content-type': 'application/octet-stream' }
    const answer = await fetch(path, { method, headers, body: new Uint8Array(SENT_BYTES), signal })
    if (!answer.ok) return undefined
    const { data } = (await answer.json()) as { readonly data: ServerProbe }
    return data
  } catch {
    // Cut off, refused or too slow on the way: it did not arrive.
    return undefined
  }
}

/** Time from the first byte of an answer to its end. */
async function pace({ api, clock }: ProxyDeps, signal: AbortSignal): Promise<number | undefined> {
  try {
    const { path } = routes.serverControl.pace
    const answer = await fetch(path, { headers: api.headers(), cache: 'no-store', signal })
    if (!answer.ok || answer.body === null) return undefined
    const reader = answer.body.getReader()
    await reader.read()
    const begun = clock.monotonic()
    for (let isWhole = false; !isWhole;) isWhole = (await reader.read()).done
    return clock.monotonic() - begun
  } catch {
    // What is cut off on the way is found by the other ways.
    return undefined
  }
}

function opensSocket(signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new WebSocket('/ws/files')
    const end = (isOpen: boolean): void => {
      socket.close()
      resolve(isOpen)
    }
    socket.addEventListener('open', () => end(true))
    socket.addEventListener('error', () => end(false))
    signal.addEventListener('abort', () => end(false))
  })
}
