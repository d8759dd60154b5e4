import type { PathDecision } from './path-switch.ts'

/** How bytes go and why, for people. @param through whether the third party that carries the control stream may carry data */
export function describePath(
  { mode, reason, detail }: PathDecision,
  streams: number,
  through?: { readonly isRelayAllowed: boolean },
): string {
  if (through !== undefined) return describeThrough({ mode, reason, detail }, through)
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

function describeThrough(
  { mode, reason, detail }: PathDecision,
  { isRelayAllowed }: { readonly isRelayAllowed: boolean },
): string {
  if (mode === 'udp') return 'direct UDP'
  if (!isRelayAllowed) return 'waiting for a direct way'
  const more = detail === '' ? '' : ` (${detail})`
  switch (reason) {
    case 'udp-off':
      return 'by relay, because UDP is switched off'
    case 'udp-waiting':
      return 'looking for a direct way, by relay meanwhile'
    case 'udp-open':
    case 'udp-blocked':
      return 'by relay, because no direct way was found'
    case 'udp-silent':
      return `by relay, because the direct way went silent${more}`
    case 'udp-broken':
      return `by relay, because the direct way loses too much${more}`
    case 'udp-slowed':
      return `by relay, because the direct way is slowed${more}`
    case 'peer-chose':
      return 'by relay, as the peer chose'
  }
}
