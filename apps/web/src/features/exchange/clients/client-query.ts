import { routes } from '@godwit/contract/table'
import type { Api } from '../../../lib/http.ts'

/** @returns whether the client says that it works in this space now */
export async function setClientSpace(api: Api, spaceId: number): Promise<boolean> {
  return (await api.call(routes.clients.setSpace, { body: { spaceId } })).success
}

/** Tells the client to update itself; also one that is too old for anything else obeys. */
export async function updateClient(api: Api): Promise<void> {
  await api.call(routes.clients.upgrade, { body: {} })
}
