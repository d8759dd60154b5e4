import { randomHex, secureRandom } from '@godwit/base'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    readonly godwitEngines: string
    /** Undefined in projects without engines. */
    readonly godwitRunFolder: string | undefined
  }
}

/** Where a real S3 service answers; path-style addresses, any region. */
export interface S3Access {
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** A new, empty database in a real MariaDB. @returns `mysql://user@host:port/name` */
export async function mariadbUrl(): Promise<string> {
  const { url } = (await ask(`/mysql/t${randomHex(secureRandom, 8)}`)) as { readonly url: string }
  return url
}

/** A real Redis, shared by all tests of the run: use key prefixes of your own. @returns `redis://host:port` */
export async function redisUrl(): Promise<string> {
  const { url } = (await ask('/redis')) as { readonly url: string }
  return url
}

/** A real S3 service, shared by all tests of the run: make buckets with names of your own. */
export async function s3Access(): Promise<S3Access> {
  return (await ask('/s3')) as S3Access
}

/** Where a blob service answers that speaks as Azure's does. */
export interface AzureAccess {
  /** With the account in its path. */
  readonly endpoint: string
  readonly account: string
  readonly accountKey: string
}

/** A blob service, shared by all tests of the run: make containers with names of your own. */
export async function azureAccess(): Promise<AzureAccess> {
  return (await ask('/azure')) as AzureAccess
}

/** A folder that all test files of the run share; undefined in projects without engines. */
export function runFolder(): string | undefined {
  return inject('godwitRunFolder')
}

async function ask(path: string): Promise<unknown> {
  const answer = await fetch(inject('godwitEngines') + path)
  if (!answer.ok) throw new Error(await answer.text())
  return answer.json()
}
