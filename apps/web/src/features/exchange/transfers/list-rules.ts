import type { TransferView } from '@godwit/contract'
import { canPause, LIVE_TRANSFER_STATES, TRANSFER_STATUS } from '@godwit/contract/exchange/transfer-states'
import { deviceOf } from '../../../lib/device.ts'
import type { ListSort } from '../../../lib/list-address.ts'

export type ListAction = 'pause' | 'resume' | 'limit' | 'continue' | 'retry' | 'files' | 'cancel' | 'forget'

/** Whether it is not over. */
export function isLive({ state }: Pick<TransferView, 'state'>): boolean {
  return LIVE_TRANSFER_STATES.some((live) => live === state)
}

/** What this tab has of a transfer. */
export interface Own {
  /** It has its files. */
  readonly isMine: boolean
  /** And some of them failed. */
  readonly hasFailed: boolean
}

/** What can be done with a transfer. */
export function listActions(
  transfer: Pick<TransferView, 'state' | 'door' | 'direction' | 'failures'>,
  { isMine, hasFailed }: Own,
): readonly ListAction[] {
  const { state, door, direction, failures } = transfer
  const files: readonly ListAction[] = failures > 0 ? ['files'] : []
  if (!isLive(transfer)) return [...(hasFailed ? ['retry' as const] : []), ...files, 'forget']
  const pausing: readonly ListAction[] =
    state === 'running' && canPause(transfer) ? ['pause'] : state === 'paused' && canPause(transfer) ? ['resume'] : []
  // Whoever has the same files may go on with an upload that another page sends, or has left.
  const isElsewhere = door === 'page' && direction === 'upload' && !isMine
  // The engine of the client keeps to a limit; a browser sends as fast as it can.
  const limiting: readonly ListAction[] = door === 'transfer' ? ['limit'] : []
  return [...pausing, ...limiting, ...(isElsewhere ? ['continue' as const] : []), ...files, 'cancel']
}

/** The name of a client's device; browser and system of others, or what a program calls itself. */
export function deviceText({ device, door }: Pick<TransferView, 'device' | 'door'>): string {
  const found = door === 'transfer' ? undefined : deviceOf(device)
  return found === undefined ? device : `${found.browser}, ${found.system}`
}

/** Every device of the list, once, by name. */
export function devicesOf(items: readonly TransferView[]): readonly string[] {
  return [...new Set(items.map(deviceText))].filter((name) => name !== '').toSorted((a, b) => a.localeCompare(b))
}

const VALUES: Readonly<Record<string, (transfer: TransferView) => number | string>> = {
  name: ({ name }) => name.toLowerCase(),
  state: ({ state }) => TRANSFER_STATUS[state],
  progress: ({ bytes }) => bytes,
  speed: ({ bytesPerSecond }) => bytesPerSecond,
  device: deviceText,
  created: ({ createdAt }) => createdAt,
}

/** By a column; without one, and among equals, by status and then the newest first. */
export function sortedTransfers(items: readonly TransferView[], sort: ListSort | undefined): readonly TransferView[] {
  const value = VALUES[sort?.by ?? '']
  const direction = sort?.order === 'desc' ? -1 : 1
  return items.toSorted((a, b) => {
    const [one, other] = value === undefined ? [0, 0] : [value(a), value(b)]
    const byColumn = one < other ? -direction : one > other ? direction : 0
    return byColumn || TRANSFER_STATUS[a.state] - TRANSFER_STATUS[b.state] || (a.transferId < b.transferId ? 1 : -1)
  })
}

/** Whether files that somebody chose are those of an upload that was left. */
export function isSameUpload(
  { files, bytes, name }: Pick<TransferView, 'files' | 'bytes' | 'name'>,
  chosen: ReadonlyArray<{ readonly name: string; readonly size: number; readonly top: string }>,
): boolean {
  const [first] = chosen
  if (files === 1) return chosen.length === 1 && first?.name === name && first.size === bytes
  const sum = chosen.reduce((all, { size }) => all + size, 0)
  return chosen.length === files && sum === bytes && (first?.top === name || first?.name === name)
}
