import { adminDeviceRoutes } from '@godwit/contract'
import { mayCall } from '../../identity/administrators/index.ts'
import { listDevices } from '../../identity/devices/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import type { TransfersDeps } from './transfers.deps.ts'
import { transfersStore } from './transfers.store.ts'

/** Running transfers of one device that its line names. */
const NAMED = 5

/** Client devices in the administrator's console, each with what it transfers now. */
export function deviceEndpoints({ db, clock }: Pick<TransfersDeps, 'db' | 'clock'>): Endpoint[] {
  return [
    endpoint(adminDeviceRoutes.list, async (ctx, { query }) => {
      const { rows, total } = await listDevices({ db, clock }, ctx, query)
      const isNamed = mayCall(accountOf(ctx.principal).standing, { right: 'transfers.view' })
      const ids = rows.map(({ id }) => id)
      const running = Map.groupBy(await transfersStore.runningOf(db, ids), ({ apiTokenId }) => apiTokenId)
      const withTransfers = rows.map((device) => {
        const found = running.get(device.id) ?? []
        const named = isNamed ? found.slice(0, NAMED) : []
        return {
          ...device,
          running: {
            count: found.length,
            bytesPerSecond: found.reduce((sum, { bytesPerSecond }) => sum + Number(bytesPerSecond), 0),
            transfers: named.map(({ transferId, name }) => ({ transferId, name })),
          },
        }
      })
      return { rows: withTransfers, total, page: query.page, size: query.size }
    }),
  ]
}
