import type { ServerProbe } from '@godwit/contract'

/** What this browser met on its way to the server. */
export interface Seen {
  /** Undefined: a body of that size did not arrive. */
  readonly probe: ServerProbe | undefined
  readonly sentBytes: number
  readonly hasSocket: boolean
  readonly isHttps: boolean
}

export type ProxyCheck = 'body' | 'socket' | 'address' | 'protocol'

export interface ProxyFinding {
  readonly check: ProxyCheck
  readonly isGood: boolean
  /** Lines for the `location` of nginx that mend it. */
  readonly nginx: readonly string[]
}

const NGINX: Readonly<Record<ProxyCheck, readonly string[]>> = {
  body: ['client_max_body_size 0;', 'proxy_request_buffering off;'],
  socket: [
    'proxy_http_version 1.1;',
    'proxy_set_header Upgrade $http_upgrade;',
    'proxy_set_header Connection "upgrade";',
    'proxy_read_timeout 3600s;',
  ],
  address: ['proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;'],
  protocol: ['proxy_set_header X-Forwarded-Proto $scheme;'],
}

/** What a proxy between this page and the server gets in the way of. */
export function proxyFindings({ probe, sentBytes, hasSocket, isHttps }: Seen): readonly ProxyFinding[] {
  const hasBody = probe?.bytes === sentBytes
  const finding = (check: ProxyCheck, isGood: boolean): ProxyFinding => ({
    ...{ check, isGood },
    nginx: isGood ? [] : NGINX[check],
  })
  const ways = [finding('body', hasBody), finding('socket', hasSocket)]
  // Without an answer nothing is known of the rest.
  if (probe === undefined) return ways
  return [...ways, finding('address', !probe.isIgnored), finding('protocol', !isHttps || probe.isSecure)]
}
