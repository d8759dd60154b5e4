import type { Db } from '../../kernel/db/index.ts'
import { chainFault } from './operation-log.policy.ts'
import type { OperationRow } from './operation-log.schema.ts'
import { operationLogStore } from './operation-log.store.ts'

export interface LogReport {
  readonly rows: number
  readonly first: number | null
  readonly last: number | null
  /** Rows at which the chain breaks, and how: at most 100. */
  readonly faults: ReadonlyArray<{ readonly seq: number; readonly fault: 'changed' | 'gap' | 'order' | 'end' }>
}

const FAULTS_MAX = 100

/** Reads the whole operation log and proves its chain: no row was changed, taken out, put in or cut off. */
export async function verifyLog(db: Db): Promise<LogReport> {
  const faults: Array<LogReport['faults'][number]> = []
  let [rows, first]: [number, number | null] = [0, null]
  let previous: OperationRow | undefined
  for await (const batch of operationLogStore.batches(db, { onlyActorId: undefined })) {
    for (const row of batch) {
      const fault = chainFault(row, previous)
      if (fault !== undefined && faults.length < FAULTS_MAX) faults.push({ seq: Number(row.seq), fault })
      first ??= Number(row.seq)
      previous = row
      rows++
    }
  }
  const head = await operationLogStore.head(db)
  if (head !== undefined && head.hash !== previous?.hash) faults.push({ seq: Number(head.seq), fault: 'end' })
  return { rows, first, last: previous === undefined ? null : Number(previous.seq), faults }
}
