import type { ServerProbe } from '@godwit/contract'

/** What this browser met on its way to the server. */
export interface Seen {
  /** Undefined: a body of that size did not arrive. */
  readonly probe: ServerProbe | undefined
  readonly sentBytes: number
  readonly hasSocket: boolean
  /** Milliseconds between the two bytes of an answer; undefined: there was none. */
  readonly paceMs: number | undefined
  readonly isHttps: boolean
}

export type ProxyCheck = 'body' | 'socket' | 'answers' | 'address' | 'protocol'

export interface ProxyFinding {
  readonly check: ProxyCheck
  readonly isGood: boolean
  /** Lines for the `location` of nginx that mend it. */
  readonly nginx: readonly string[]
  /** The same for the site of Caddy; empty where Caddy does it anyway. */
  readonly caddy: readonly string[]
  /** The same for Traefik. */
  readonly traefik: readonly string[]
}

/** The server waits three times as long between the two bytes. */
const LEAST_PACE_MS = 500

const NGINX: Readonly<Record<ProxyCheck, readonly string[]>> = {
  body: ['client_max_body_size 0;', 'proxy_request_buffering off;'],
  socket: [
    'proxy_http_version 1.1;',
    'proxy_set_header Upgrade $http_upgrade;',
    'proxy_set_header Connection "upgrade";',
    'proxy_read_timeout 3600s;',
  ],
  answers: ['proxy_buffering off;', 'proxy_max_temp_file_size 0;'],
  address: ['proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;'],
  protocol: ['proxy_set_header X-Forwarded-Proto $scheme;'],
}

/** Buffers that people switch on: others leave answers alone. */
const OTHERS: Partial<Readonly<Record<ProxyCheck, Pick<ProxyFinding, 'caddy' | 'traefik'>>>> = {
  answers: {
    caddy: ['reverse_proxy 127.0.0.1:8080 {', '  flush_interval -1', '}'],
    traefik: [
      '# no middleware of the kind "buffering" on this router, and',
      'http:',
      '  services:',
      '    godwit:',
      '      loadBalancer:',
      '        responseForwarding:',
      '          flushInterval: 1ms',
    ],
  },
}
const NOTHING = { caddy: [], traefik: [] } as const

/** Whether the bytes of an answer came as they were sent. */
export function isPaced(paceMs: number): boolean {
  return paceMs >= LEAST_PACE_MS
}

/** What a proxy between this page and the server gets in the way of. */
export function proxyFindings({ probe, sentBytes, hasSocket, paceMs, isHttps }: Seen): readonly ProxyFinding[] {
  const hasBody = probe?.bytes === sentBytes
  const finding = (check: ProxyCheck, isGood: boolean): ProxyFinding => ({
    ...{ check, isGood },
    nginx: isGood ? [] : NGINX[check],
    ...((isGood ? undefined : OTHERS[check]) ?? NOTHING),
  })
  const ways = [finding('body', hasBody), finding('socket', hasSocket)]
  // Without an answer nothing is known of the rest.
  if (paceMs !== undefined) ways.push(finding('answers', isPaced(paceMs)))
  if (probe === undefined) return ways
  return [...ways, finding('address', !probe.isIgnored), finding('protocol', !isHttps || probe.isSecure)]
}
