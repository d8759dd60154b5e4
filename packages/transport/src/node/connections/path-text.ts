import type { PathDecision } from './path-switch.ts'

/** How bytes go and why, for people. */
export function describePath({ reason, detail }: PathDecision, streams: number): string {
  const tcp = streams === 1 ? 'using 1 TCP stream' : `using ${streams} TCP streams`
  const more = detail === '' ? '' : ` (${detail})`
  switch (reason) {
    case 'udp-open':
      return 'UDP'
    case 'udp-off':
      return `UDP is switched off, ${tcp}`
    case 'udp-waiting':
      return `waiting for UDP, ${tcp} meanwhile`
    case 'udp-blocked':
      return `UDP is blocked by the network, ${tcp}`
    case 'udp-silent':
      return `UDP went silent${more}, ${tcp}`
    case 'udp-broken':
      return `UDP loses too much${more}, ${tcp}`
    case 'udp-slowed':
      return `UDP is slowed by the network${more}, ${tcp}`
    case 'peer-chose':
      return streams === 0 ? 'UDP, as the peer chose' : `the peer changed to TCP, ${tcp}`
  }
}
