/** Outcome of a transfer task, as numbers on the wire. */
export const TASK_STATUS = { completed: 0, incomplete: 1, failed: 2 } as const

/** States of a sync task. */
export const SYNC_STATES = [
  'ready',
  'started',
  'stopping',
  'stopped',
  'successful',
  'failed',
  'authFailed',
  'serverConnectionFailed',
  'idle',
  'todo',
  'stoppedByServer',
  'noPermission',
  'addressLocked',
  'stoppedByPeer',
  'sendFailed',
  'connectFailed',
  'accountLocked',
] as const
export type SyncState = (typeof SYNC_STATES)[number]

export const SYNC_FREQUENCIES = ['seconds', 'minutes', 'hours', 'daily', 'weekly', 'once', 'manual'] as const
export const SYNC_DIRECTIONS = ['upload', 'download', 'twoWay'] as const
export const SYNC_UPDATE_MODES = ['overwrite', 'append', 'rename', 'sourceNewer'] as const
export const SYNC_SOURCE_DELETES = ['keep', 'all', 'keepStructure'] as const
/** Clients that run a task which the server issues. */
export const TASK_CLIENTS = ['allOnline', 'selected'] as const
/** What a path of a task may name. */
export const PATH_VARIABLES = ['date', 'time', 'taskName', 'osName', 'osVersion', 'userEmail', 'userName'] as const

/** `transferType`: 0 both ways, 1 no transfer by browser, 2 no transfer by client. */
export const TRANSFER_TYPE = { both: 0, clientOnly: 1, webOnly: 2 } as const

export function canTransferByWeb(transferType: number): boolean {
  return transferType !== TRANSFER_TYPE.clientOnly
}

export function canTransferByClient(transferType: number): boolean {
  return transferType !== TRANSFER_TYPE.webOnly
}

/** Days on which a speed period repeats. */
export const SPEED_PERIOD_DAYS = ['everyDay', 'mondayToFriday', 'weekend', 'selected'] as const
