import type { Tx } from '../../kernel/db/index.ts'
import { provisionedStore } from '../provisioning/index.ts'
import { externalStore } from './external.store.ts'

/**
 * People decide about the lock of these accounts from now on: what a directory or an identity management locked before is
 * nothing that it may unlock any more, or it would undo the lock of an administrator.
 */
export async function takeLocksOver(tx: Tx, userIds: readonly string[]): Promise<void> {
  await externalStore.forgetLocks(tx, userIds)
  await provisionedStore.forgetLocks(tx, userIds)
}
