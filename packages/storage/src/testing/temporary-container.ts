import { randomHex, secureRandom, systemClock } from '@godwit/base'
import { sharedKey } from '../azure/azure-key.ts'
import { openAzureStore } from '../azure/azure-store.ts'
import { HttpService } from '../bucket/http-service.ts'
import type { ObjectStore } from '../object-store.ts'

/** Where a blob service answers, with the account in the path of its address. */
export interface AzureAccount {
  readonly endpoint: string
  readonly account: string
  readonly accountKey: string
}

/** A new container of a blob service. @returns its name */
export async function makeContainer(account: AzureAccount): Promise<string> {
  const container = `godwit-${randomHex(secureRandom, 8)}`
  const service = new HttpService({
    sign: sharedKey(account, systemClock),
    codeOf: (_headers, body) => body,
    reasons: {},
  })
  const url = new URL(`${account.endpoint}/${container}?restype=container`)
  await service.text('', { method: 'PUT', url, headers: {} })
  service.close()
  return container
}

/** A store on a part of a new container. */
export async function temporaryContainer(account: AzureAccount): Promise<ObjectStore> {
  return openAzureStore({
    ...account,
    container: await makeContainer(account),
    prefix: 'files',
    random: secureRandom,
    clock: systemClock,
  })
}
