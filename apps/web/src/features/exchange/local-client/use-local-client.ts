import type { LocalClientAction, LocalClientView } from '@godwit/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { isFailure } from '../../../lib/http.ts'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import type { LocalLink } from './local-link.ts'

/** Speeds change all the time; the client is on this computer. */
const LOOK_MS = 1_000
const KEY = ['local-client']

/** @returns whether it was done */
export type Act = (action: LocalClientAction) => Promise<boolean>

export interface LocalClient {
  readonly view: LocalClientView | undefined
  /** The token of this page counts no more. */
  readonly isClosed: boolean
  /** The client does not answer. */
  readonly isGone: boolean
  readonly act: Act
}

export function useLocalClient(link: LocalLink): LocalClient {
  const { messages } = useServices()
  const texts = useTexts()
  const client = useQueryClient()
  const { data, error } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => link.view(signal),
    refetchInterval: ({ state }) => (isFailure(state.error, 'LOCAL_PAGE_CLOSED') ? false : LOOK_MS),
    refetchIntervalInBackground: true,
  })
  const act: Act = async (action) => {
    try {
      // What was asked before tells how it was before.
      await client.cancelQueries({ queryKey: KEY })
      client.setQueryData(KEY, await link.act(action))
      return true
    } catch (thrown) {
      messages.fail(thrown, texts)
      return false
    }
  }
  const isClosed = isFailure(error, 'LOCAL_PAGE_CLOSED')
  return { view: data, isClosed, isGone: error !== null && !isClosed, act }
}
