import { clientRoutes, PERMISSION, TRANSFER_STATUS, transferRoutes, type TransferAction } from '@godwit/contract'
import type { UserCtx } from '../../kernel/context.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { historyStore } from './history.store.ts'
import { beginReported, noteReport, type ReportsDeps } from './reports.service.ts'
import { controlTransfer, limitsOf, limitTransfer, type ControlDeps } from './transfer-control.ts'
import { foldCase } from '../../identity/users/index.ts'
import type { TransferRow } from './transfers.schema.ts'
import type { TransferPort } from './transfers.deps.ts'
import { presentTransfer } from './transfers.present.ts'
import { downloadByClient, uploadByClient, syncByClient } from './client-orders.ts'
import { transfersStore } from './transfers.store.ts'
import { ownTransfer, ticketAgain, ticketForDownload, ticketForUpload } from './transfers.service.ts'

/** Where the next page of the list goes on. */
function cursorOf({ state, id }: Pick<TransferRow, 'state' | 'id'>): string {
  return `${TRANSFER_STATUS[state]}.${id}`
}

/** @returns undefined for the first page, and for what is no cursor */
function cursorIn(text: string | undefined) {
  const [, status, id] = /^(\d)\.(\w+)$/.exec(text ?? '') ?? []
  return status === undefined || id === undefined ? undefined : { status: Number(status), id }
}

/**
 * A transfer of the account, for whoever may make such transfers: an API token that only reads ends no upload.
 * @throws AppError TRANSFER_NOT_FOUND, PERMISSION_DENIED
 */
async function controllable(deps: ControlDeps, ctx: UserCtx, id: string): Promise<TransferRow> {
  const row = await ownTransfer(deps, ctx, id)
  const { cap } = ctx.principal.account
  if (cap !== undefined && (cap & PERMISSION[row.direction]) === 0) throw new AppError('PERMISSION_DENIED')
  return row
}

export interface TransferEndpointsDeps extends ControlDeps, ReportsDeps {
  /** Undefined while the port is switched off or could not be opened. */
  readonly port: () => Promise<TransferPort | undefined>
}

export function transferEndpoints(deps: TransferEndpointsDeps): Endpoint[] {
  const requirePort = async (): Promise<TransferPort> => {
    const port = await deps.port()
    if (port === undefined) throw new AppError('TRANSFER_PORT_UNAVAILABLE')
    return port
  }
  const control =
    (action: TransferAction) =>
    async (ctx: UserCtx, { params }: { readonly params: { readonly transferId: string } }) => {
      const row = await controllable(deps, ctx, params.transferId)
      return { transfer: presentTransfer(await controlTransfer(deps, row, action)) }
    }
  return [
    endpoint(transferRoutes.upload, async (ctx, { body }) =>
      ticketForUpload(deps, ctx, { port: requirePort, wanted: body }),
    ),
    endpoint(transferRoutes.download, async (ctx, { body }) =>
      ticketForDownload(deps, ctx, { port: requirePort, wanted: body }),
    ),
    endpoint(transferRoutes.list, async ({ principal }, { query }) => {
      const { limit, after, text = '', ...filter } = query
      const wanted = { ...filter, userId: principal.id, text: foldCase(text), after: cursorIn(after) }
      const rows = await historyStore.list(deps.db, wanted, limit)
      const last = rows.length < limit ? undefined : rows.at(-1)
      return { items: rows.map(presentTransfer), next: last === undefined ? '' : cursorOf(last) }
    }),
    endpoint(transferRoutes.files, async (ctx, { params }) => {
      const { id } = await ownTransfer(deps, ctx, params.transferId)
      return { files: await transfersStore.files(deps.db, id) }
    }),
    endpoint(transferRoutes.begin, async (ctx, { body }) => ({
      transfer: presentTransfer(await beginReported(deps, ctx, body)),
    })),
    endpoint(transferRoutes.report, async (ctx, { params, body }) => {
      const row = await noteReport(deps, ctx, { transferId: params.transferId, report: body })
      return { transfer: presentTransfer(row) }
    }),
    endpoint(transferRoutes.clear, async ({ principal }, { body }) => ({
      cleared: await historyStore.clear(deps.db, principal.id, body.transferIds),
    })),
    endpoint(transferRoutes.ticket, (ctx, { params }) =>
      ticketAgain(deps, ctx, { port: requirePort, id: params.transferId }),
    ),
    endpoint(clientRoutes.upload, async (ctx, { body }) => ({ outcome: await uploadByClient(deps, ctx, body) })),
    endpoint(clientRoutes.sync, async (ctx, { body }) => ({ outcome: await syncByClient(deps, ctx, body) })),
    endpoint(clientRoutes.download, async (ctx, { body }) => ({ outcome: await downloadByClient(deps, ctx, body) })),
    endpoint(transferRoutes.pause, control('pause')),
    endpoint(transferRoutes.resume, control('resume')),
    endpoint(transferRoutes.cancel, control('cancel')),
    endpoint(transferRoutes.limit, async (ctx, { params, body }) => {
      const { id } = await controllable(deps, ctx, params.transferId)
      const row = await limitTransfer(deps, id, limitsOf(deps, body))
      return { transfer: presentTransfer(row) }
    }),
  ]
}
