import type { ClientState } from './clients.ts'
import { canTransferByClient, TRANSFER_TYPE } from './task-states.ts'

/** How files go: by the browser, or by the desktop client. */
export type TransferWay = 'web' | 'client'

export interface WayFacts {
  readonly transferType: number
  /** Undefined until the server reported it. */
  readonly client: ClientState | undefined
  /** The client can ask the person at its computer which files are meant. */
  readonly canAsk: boolean
  /** The site offers installers of the client. */
  readonly hasPackages: boolean
  /** The page is shown on a computer, where a client may run. */
  readonly isRoomy: boolean
}

/**
 * The ways that a page offers for uploads or downloads. The first one is what the plain button takes, the others stand in its
 * menu: specification 2, section 6 ("if only the client is available one button acts directly") and section 4 ("if the client is
 * connected it is used"). A client that is not there is offered where it is all there is, or where it can be installed.
 */
export function offeredWays(kind: 'upload' | 'download', facts: WayFacts): readonly TransferWay[] {
  const { transferType, client, canAsk, hasPackages, isRoomy } = facts
  if (!canTransferByClient(transferType)) return ['web']
  if (transferType === TRANSFER_TYPE.clientOnly) return ['client']
  const isThere = client !== undefined && client !== 'none'
  if (!isThere && !(hasPackages && isRoomy)) return ['web']
  // For an upload a client that cannot ask needs paths typed by hand, which nobody wants first.
  const isFirst = isReadyClient(client) && isRoomy && (kind === 'download' || canAsk)
  return isFirst ? ['client', 'web'] : ['web', 'client']
}

/** Whether the client takes transfers at once. */
export function isReadyClient(client: ClientState | undefined): boolean {
  return client === 'connected' || client === 'update-available'
}

/**
 * Whether a download by the browser asks first if the client shall take it.
 * @param promptFiles the setting `clientPromptFiles`; 0 never asks
 * @param files how many there are; undefined when the server is still counting, which only many files take
 */
export function suggestsClient(promptFiles: number, files: number | undefined): boolean {
  return promptFiles > 0 && (files === undefined || files > promptFiles)
}
