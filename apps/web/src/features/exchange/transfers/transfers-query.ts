import type { TransferView } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Api } from '../../../lib/http.ts'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { useFilesServices } from '../../content/files/index.ts'
import { mergeTransfer, type TransferAction } from './transfer-lists.ts'

const KEY = ['transfers']
const FETCHED = 50
/** While the file socket is away nothing is pushed. */
const POLL_MS = 5_000

interface Input {
  readonly params: { readonly transferId: string }
  readonly body: Record<string, never>
}

const CONTROLS: Readonly<Record<TransferAction, (api: Api, input: Input) => Promise<TransferView>>> = {
  pause: async (api, input) => (await api.call(routes.transfers.pause, input)).transfer,
  resume: async (api, input) => (await api.call(routes.transfers.resume, input)).transfer,
  cancel: async (api, input) => (await api.call(routes.transfers.cancel, input)).transfer,
}

export interface Transfers {
  readonly items: readonly TransferView[]
  control(transferId: string, action: TransferAction): Promise<void>
}

/** Transfers by a client of the account, the newest first; they follow by themselves. */
export function useTransfers(): Transfers {
  const { api, messages } = useServices()
  const texts = useTexts()
  const { socket } = useFilesServices()
  const client = useQueryClient()
  const merge = (transfer: TransferView): void => {
    client.setQueryData<readonly TransferView[]>(KEY, (items) => items && mergeTransfer(items, transfer))
  }
  useEffect(
    () =>
      socket.on('transfer.changed', ({ transfer }) => {
        client.setQueryData<readonly TransferView[]>(KEY, (items) => items && mergeTransfer(items, transfer))
      }),
    [socket, client],
  )
  const { data = [] } = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) =>
      (await api.call(routes.transfers.list, { query: { limit: FETCHED } }, { signal, quiet: true })).items,
    refetchInterval: () => (socket.online.get() ? false : POLL_MS),
  })
  return {
    items: data,
    async control(transferId, action) {
      try {
        merge(await CONTROLS[action](api, { params: { transferId }, body: {} }))
      } catch (thrown) {
        messages.fail(thrown, texts)
      }
    },
  }
}
