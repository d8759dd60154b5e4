import { transferRoutes, type TransferAction } from '@godwit/contract'
import type { UserCtx } from '../../kernel/context.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import { controlTransfer, limitTransfer, type ControlDeps } from './transfer-control.ts'
import type { TransferPort } from './transfers.deps.ts'
import { kbpsOf, presentTransfer } from './transfers.present.ts'
import { ownTransfer, ticketAgain, ticketForDownload, ticketForUpload } from './transfers.service.ts'
import { transfersStore } from './transfers.store.ts'

export interface TransferEndpointsDeps extends ControlDeps {
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
      const row = await ownTransfer(deps, ctx, params.transferId)
      return { transfer: presentTransfer(await controlTransfer(deps, row, action)) }
    }
  return [
    endpoint(transferRoutes.upload, async (ctx, { body }) =>
      ticketForUpload(deps, ctx, { port: requirePort, wanted: body }),
    ),
    endpoint(transferRoutes.download, async (ctx, { body }) =>
      ticketForDownload(deps, ctx, { port: requirePort, wanted: body }),
    ),
    endpoint(transferRoutes.list, async ({ principal }, { query }) => ({
      items: (await transfersStore.ofUser(deps.db, principal.id, query.limit)).map(presentTransfer),
    })),
    endpoint(transferRoutes.ticket, (ctx, { params }) =>
      ticketAgain(deps, ctx, { port: requirePort, id: params.transferId }),
    ),
    endpoint(transferRoutes.pause, control('pause')),
    endpoint(transferRoutes.resume, control('resume')),
    endpoint(transferRoutes.cancel, control('cancel')),
    endpoint(transferRoutes.limit, async (ctx, { params, body }) => {
      const { id } = await ownTransfer(deps, ctx, params.transferId)
      const row = await limitTransfer(deps, id, { rate_kbps: kbpsOf(body.rateMbps) })
      return { transfer: presentTransfer(row) }
    }),
  ]
}
