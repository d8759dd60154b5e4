import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import type { Clock } from '@godwit/base'
import type { HookReason } from '@godwit/contract'
import { beforeAbort, OutboundError, type Outbound } from '../../kernel/outbound/index.ts'
import { oneLine } from '../../kernel/plain-text.ts'
import { hookAddress, hostOf, signatureOf } from './hooks.policy.ts'

export interface CallDeps {
  readonly clock: Pick<Clock, 'now'>
  readonly outbound: Outbound
  /** From the first look at its name to the last byte of its answer that is read. Default 10 s. */
  readonly callMs?: number
}

export interface HookCall {
  readonly url: string
  readonly secret: string
  /** The `webhook-id`. */
  readonly id: string
  readonly body: string
}

export interface Outcome {
  readonly isDelivered: boolean
  readonly status: number | null
  readonly reason: HookReason | null
  /** First bytes of the answer, on one line. */
  readonly answer: string
}

const CALL_MS = 10_000
const ANSWER_BYTES = 512

/**
 * Calls a hook once. Its name is resolved once and the connection goes to the address that was looked at; redirects are not
 * followed; of the answer only the first bytes are read, however much there is.
 * @returns how it went; throws only when `signal` aborts
 */
export async function callHook(deps: CallDeps, call: HookCall, signal: AbortSignal): Promise<Outcome> {
  const url = hookAddress(call.url)
  if (url === undefined) return failure('not-allowed')
  const limit = AbortSignal.any([signal, AbortSignal.timeout(deps.callMs ?? CALL_MS)])
  try {
    const address = await beforeAbort(deps.outbound.addressOf(hostOf(url)), limit)
    return await send(deps, { ...call, target: url, address }, limit)
  } catch (thrown) {
    signal.throwIfAborted()
    return failure(limit.aborted ? 'timeout' : reasonOf(thrown))
  }
}

interface ResolvedCall extends HookCall {
  readonly target: URL
  readonly address: string
}

function send({ clock }: CallDeps, call: ResolvedCall, signal: AbortSignal): Promise<Outcome> {
  const { id, body, secret, target, address } = call
  const timestamp = Math.floor(clock.now() / 1000)
  const host = hostOf(target)
  const settled = Promise.withResolvers<Outcome>()
  const request = (target.protocol === 'https:' ? https : http).request({
    ...{ method: 'POST', host: address, port: target.port, path: target.pathname + target.search },
    // The certificate is checked for the name although the connection goes to the address that was looked at.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...{ agent: false, signal },
    headers: {
      ...{ host: target.host, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      ...{ 'user-agent': 'Godwit-Webhook/1', 'webhook-id': id, 'webhook-timestamp': timestamp },
      'webhook-signature': signatureOf(secret, { id, timestamp, body }),
    },
  })
  request.on('error', settled.reject)
  request.on('response', (response) => {
    const status = response.statusCode ?? 0
    const isDelivered = status >= 200 && status < 300
    void firstBytes(response).then((answer) => {
      response.destroy()
      settled.resolve({ isDelivered, status, reason: isDelivered ? null : 'status', answer })
    })
  })
  request.end(body)
  return settled.promise
}

/** What came until there is enough; an answer that breaks off or takes too long is one all the same. */
async function firstBytes(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= ANSWER_BYTES) break
    }
  } catch {
    // The status was the answer.
  }
  return oneLine(Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString('utf8'))
}

function failure(reason: HookReason): Outcome {
  return { isDelivered: false, status: null, reason, answer: '' }
}

function reasonOf(thrown: unknown): HookReason {
  if (thrown instanceof OutboundError) return thrown.reason
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  if (/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO/.test(code)) return 'certificate'
  return /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/.test(code) ? 'refused' : 'error'
}
