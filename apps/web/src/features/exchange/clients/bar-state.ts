import type { ClientView } from '@godwit/contract'

/** What the bar above the page says about the desktop client. */
export type BarState = 'disconnected' | 'start' | 'starting' | 'update' | 'update-failed' | 'low-version'

export interface BarFacts {
  /** 0 both, 1 client only, 2 web only. */
  readonly transferType: number
  /** Undefined until the server reported it. */
  readonly client: ClientView['state'] | undefined
  /** Its last upgrade did not come about. */
  readonly hasFailed: boolean
  /** The file socket has been away for a while. */
  readonly isFileServerGone: boolean
  /** The site offers installers of the client. */
  readonly hasPackages: boolean
}

/** The one thing worth saying; undefined when all is well. A lost file server counts only while no client stands in for it. */
export function barState({
  transferType,
  client,
  hasFailed,
  isFileServerGone,
  hasPackages,
}: BarFacts): BarState | undefined {
  const hasClient = client !== undefined && client !== 'none' && client !== 'outdated'
  if (isFileServerGone && !hasClient) return 'disconnected'
  if (transferType === WEB_ONLY || client === undefined) return undefined
  // The browser does everything, and there is nothing that the person could install and start.
  if (client === 'none' && transferType === BOTH && !hasPackages) return undefined
  return client === 'update-available' && hasFailed ? 'update-failed' : BARS[client]
}

const BOTH = 0
const WEB_ONLY = 2

const BARS: Readonly<Record<ClientView['state'], BarState | undefined>> = {
  none: 'start',
  starting: 'starting',
  connected: undefined,
  'update-available': 'update',
  outdated: 'low-version',
}
