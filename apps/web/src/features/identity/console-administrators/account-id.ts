import { routes } from '@godwit/contract/table'
import { errorSpec } from '@godwit/contract/errors/catalogue'
import { ApiError } from '@godwit/contract/wire/api-error'
import type { Api } from '../../../lib/http.ts'

/** @throws ApiError ACCOUNT_NOT_FOUND when there is no account of exactly this name */
export async function idOfAccount(api: Api, account: string): Promise<string> {
  const { rows } = await api.call(routes.adminUsers.list, { query: { account: account.trim() } })
  const [found] = rows
  if (found === undefined) throw new ApiError({ code: errorSpec('ACCOUNT_NOT_FOUND').wire, message: '' })
  return found.id
}
