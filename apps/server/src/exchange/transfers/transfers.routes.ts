import { transferRoutes } from '@godwit/contract'
import type { UserCtx } from '../../kernel/context.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import type { TransferRuns } from './transfer-runs.ts'
import type { TransferPort, TransfersDeps } from './transfers.deps.ts'
import { presentTransfer } from './transfers.present.ts'
import { isConnected } from './transfers.machine.ts'
import {
  applyEvent,
  dropParts,
  ownTransfer,
  ticketAgain,
  ticketForDownload,
  ticketForUpload,
} from './transfers.service.ts'
import { transfersStore } from './transfers.store.ts'

export interface TransferEndpointsDeps extends TransfersDeps {
  readonly runs: TransferRuns
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
    (event: 'pause' | 'resume' | 'cancel') =>
    async (ctx: UserCtx, { params }: { readonly params: { readonly transferId: string } }) => {
      const before = await ownTransfer(deps, ctx, params.transferId)
      const { id } = before
      const change = event === 'cancel' ? { bytes_per_second: 0 } : { is_paused: event === 'pause' ? 1 : 0 }
      const row = await applyEvent(deps, { id, event, change })
      await deps.runs.recheckOne(id)
      // Of a connected one the parts are given up when its files are closed.
      if (event === 'cancel' && !isConnected(before.state)) {
        await deps.runs.ended(id)
        await dropParts(deps, before)
      }
      return { transfer: presentTransfer(row) }
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
  ]
}
