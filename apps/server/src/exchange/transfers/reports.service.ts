import { placeOf, requireFolder, type PlaceIds } from '../../content/access/index.ts'
import { sessionIdOf } from '../../identity/principals/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { isOver } from './transfers.machine.ts'
import type { TransferRow } from './transfers.schema.ts'
import { transfersStore, type TransferChange } from './transfers.store.ts'
import { changeRow, ownTransfer, publishTransfer } from './transfers.service.ts'
import type { TransfersDeps } from './transfers.deps.ts'
import { emptyRow } from './transfer-books.ts'
import { finalState, type TransferHistory } from './transfer-history.ts'

export interface ReportsDeps extends TransfersDeps {
  readonly history: TransferHistory
}

/** What a page begins to upload. */
interface Begun extends PlaceIds {
  readonly folder: string
  readonly name: string
  readonly files: number
  readonly bytes: number
  readonly paths: readonly string[]
  readonly page: string
}

/** @throws AppError PERMISSION_DENIED, PATH_NOT_FOUND, RATE_LIMITED */
export async function beginReported(deps: ReportsDeps, ctx: UserCtx, begun: Begun): Promise<TransferRow> {
  const { principal, address, userAgent } = ctx
  const { folder, name, files, bytes, paths, spaceId, groupId, page } = begun
  const opened = await deps.files.access.open({ principal }, placeOf(begun), folder, 'uploadFile')
  await requireFolder(opened)
  await deps.reportLimit.take(principal.id)
  const now = deps.clock.now()
  const row: TransferRow = {
    ...emptyRow(now),
    ...{ id: deps.ids.next(), user_id: principal.id, direction: 'upload', space_id: spaceId, group_id: groupId },
    ...{ folder: opened.path, label: name, paths: JSON.stringify(paths), files, bytes },
    ...{ session_id: sessionIdOf(principal), device: userAgent.slice(0, 128), address: address.slice(0, 64) },
    api_token_id: principal.kind === 'api-token' ? principal.apiTokenId : '',
    ...{ door: 'page' as const, task: page },
    expires_at: now + deps.intake.limits.grantMs,
  }
  await transfersStore.insert(deps.db, row)
  publishTransfer(deps, row)
  return row
}

interface Report {
  readonly state: 'running' | 'paused' | 'left' | 'ended'
  readonly files: number
  readonly bytes: number
  readonly failures: number
  readonly failed: ReadonlyArray<{ readonly path: string; readonly code: string }>
  readonly page: string
  readonly takeOver: boolean
}

/**
 * What a page says of its upload. One that was cancelled stays so.
 * @throws AppError TRANSFER_NOT_FOUND, also for what is no upload by a page; TRANSFER_TAKEN_OVER when another page goes on with it
 */
export async function noteReport(
  deps: ReportsDeps,
  ctx: UserCtx,
  { transferId, report }: { readonly transferId: string; readonly report: Report },
): Promise<TransferRow> {
  const { door, direction, task } = await ownTransfer(deps, ctx, transferId)
  if (door === 'transfer' || direction !== 'upload') throw new AppError('TRANSFER_NOT_FOUND')
  if (task !== report.page && !report.takeOver) throw new AppError('TRANSFER_TAKEN_OVER')
  // What the page says of the end holds with all that came before it.
  if (report.state === 'ended') await deps.history.write()
  if (report.failed.length > 0) await transfersStore.replaceFiles(deps.db, transferId, report.failed)
  return changeRow(deps, transferId, (row) => {
    if (row.state === 'cancelled') return undefined
    // Somebody may have taken it over since it was read.
    if (row.task !== report.page && !report.takeOver) throw new AppError('TRANSFER_TAKEN_OVER')
    return { ...reported(deps, row, report), ...takenOver(ctx, report) }
  })
}

/** From now on it is known by the device of the page that goes on with it. */
function takenOver({ address, userAgent }: UserCtx, { takeOver, page }: Report): TransferChange {
  return takeOver ? { task: page, device: userAgent.slice(0, 128), address: address.slice(0, 64) } : {}
}

function reported(deps: ReportsDeps, row: TransferRow, report: Report): TransferChange {
  const { files, bytes, failures, failed } = report
  const error = failed[0]?.code ?? ''
  const state = stateOf({ ...row, failures, error }, report)
  const isEnd = isOver(state)
  return {
    ...{ state, files, bytes, failures, error },
    finished_at: isEnd ? row.finished_at || deps.clock.now() : 0,
    ...(state === 'running' ? {} : { bytes_per_second: 0 }),
    ...(isEnd ? {} : { expires_at: deps.clock.now() + deps.intake.limits.grantMs }),
  }
}

function stateOf(row: TransferRow, { state }: Report): TransferRow['state'] {
  if (state === 'ended') return finalState({ ...row, error: row.error || 'UPLOAD_FAILED' })
  if (state === 'left') return isOver(row.state) ? row.state : 'interrupted'
  // Another device may want it paused: this page does not know yet.
  return state === 'paused' || row.is_paused === 1 ? 'paused' : 'running'
}
