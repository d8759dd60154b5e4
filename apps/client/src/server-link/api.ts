import { MiB } from '@godwit/base'
import { createFilter } from '@godwit/transfer/filter'
import type { DeviceLoginState, FileItem, Success, TransferTicket, TransferView, UserInfo } from '@godwit/contract'
import type { Profile } from '../profiles/profile.ts'

/** The server refused a request, or answers something else than its API. */
export class ApiError extends Error {
  /** Number of the error catalogue; 0 when the answer is none of the API. */
  readonly code: number
  readonly status: number

  constructor(message: string, { code, status }: { readonly code: number; readonly status: number }) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.status = status
  }

  /** The server is overloaded, restarting or away; the same request may succeed later. */
  get isTemporary(): boolean {
    return this.status === 429 || this.status >= 500
  }
}

export interface PlaceIds {
  readonly spaceId: number
  readonly groupId: number
}

/** What the client asks of a server over HTTP. */
export interface Api {
  account(): Promise<string>
  /** What is left out of uploads to a place. */
  filterOf(place: PlaceIds): Promise<UploadFilter>
  list(place: PlaceIds, folder: string, cursor: string | null): Promise<FolderPage>
  transfers(): Promise<readonly TransferView[]>
  uploadTicket(wanted: PlaceIds & { readonly folder: string; readonly name: string }): Promise<TransferTicket>
  downloadTicket(wanted: PlaceIds & { readonly paths: readonly string[] }): Promise<TransferTicket>
  /** For a transfer that goes on. */
  ticketOf(transferId: string): Promise<TransferTicket>
  control(transferId: string, action: 'pause' | 'resume' | 'cancel'): Promise<TransferView>
  /** @param rateMbps 0: no limit */
  limit(transferId: string, rateMbps: number): Promise<TransferView>
  /** Says which device the token is used on. */
  register(program: ProgramFacts): Promise<void>
  /** Revokes the token. */
  signOut(): Promise<void>
}

/** Globs of files that are not sent, and the largest size that is. */
export interface UploadFilter {
  readonly exclude: readonly string[]
  readonly maxBytes: number | undefined
}

export interface ProgramFacts {
  readonly name: string
  readonly platform: string
  readonly version: string
}

/** What is asked before there is a token. */
export interface SignInApi {
  begin(program: ProgramFacts): Promise<{
    readonly deviceCode: string
    readonly userCode: string
    readonly path: string
    readonly expiresIn: number
    readonly interval: number
  }>
  token(deviceCode: string): Promise<{ readonly state: DeviceLoginState; readonly token: string }>
}

export interface FolderPage {
  readonly items: readonly FileItem[]
  readonly next: string | null
}

type FilterRules = Pick<
  UserInfo,
  'transIgnoreRegSwitch' | 'transIgnoreReg' | 'transIgnoreSizeSwitch' | 'transIgnoreSize'
>
type GroupRules = FilterRules & { readonly groupId: number }

function globsIn(list: string): readonly string[] {
  return list
    .split(';')
    .map((glob) => glob.trim())
    .filter((glob) => glob !== '' && isGlob(glob))
}

/** What is no pattern leaves nothing out, in the browser as well. */
function isGlob(glob: string): boolean {
  try {
    createFilter({ exclude: [glob] })
    return true
  } catch {
    return false
  }
}

const ANSWER_MS = 90_000

type Ask = <Data>(method: 'GET' | 'POST', path: string, body?: object) => Promise<Data>

/** @param token '' before a sign-in */
function asking(server: string, token: string): Ask {
  return async <Data>(method: 'GET' | 'POST', path: string, body?: object): Promise<Data> => {
    const response = await fetch(new URL(path, server), {
      method,
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    const envelope = (await response.json().catch(() => undefined)) as Partial<Success<Data>> & { message?: string }
    if (response.ok && envelope?.code === 200) return envelope.data as Data
    const message = envelope?.message ?? `${server} answers ${response.status} and is no Godwit server`
    throw new ApiError(message, { code: envelope?.code ?? 0, status: response.status })
  }
}

export function signInApi(server: string): SignInApi {
  const ask = asking(server, '')
  return {
    begin: (program) => ask('POST', '/api/device-login', program),
    token: (deviceCode) => ask('POST', '/api/device-login/token', { deviceCode }),
  }
}

export function connectApi({ server, token }: Pick<Profile, 'server' | 'token'>, device: string): Api {
  const ask = asking(server, token)
  return {
    async account() {
      return (await ask<{ readonly user: { readonly account: string } }>('GET', '/api/user/info')).user.account
    },
    async filterOf({ spaceId, groupId }) {
      const { user } = await ask<{ readonly user: FilterRules & { readonly groupList: readonly GroupRules[] } }>(
        'GET',
        `/api/user/info?spaceId=${spaceId}`,
      )
      const rules = user.groupList.find((group) => group.groupId === groupId) ?? user
      const isSized = rules.transIgnoreSizeSwitch === 1
      return {
        exclude: rules.transIgnoreRegSwitch === 1 ? globsIn(rules.transIgnoreReg) : [],
        maxBytes: isSized ? rules.transIgnoreSize * MiB : undefined,
      }
    },
    list: (place, folder, cursor) => ask('POST', '/api/files/list', { ...place, folder, cursor }),
    async transfers() {
      return (await ask<{ readonly items: readonly TransferView[] }>('GET', '/api/transfers')).items
    },
    uploadTicket: (wanted) => ask('POST', '/api/transfers/upload', { ...wanted, device }),
    downloadTicket: (wanted) => ask('POST', '/api/transfers/download', { ...wanted, device }),
    ticketOf: (transferId) => ask('POST', `/api/transfers/${transferId}/ticket`, {}),
    async control(transferId, action) {
      const path = `/api/transfers/${transferId}/${action}`
      return (await ask<{ readonly transfer: TransferView }>('POST', path, {})).transfer
    },
    async limit(transferId, rateMbps) {
      const path = `/api/transfers/${transferId}/limit`
      return (await ask<{ readonly transfer: TransferView }>('POST', path, { rateMbps })).transfer
    },
    async register(program) {
      await ask('POST', '/api/user/device', program)
    },
    async signOut() {
      await ask('POST', '/api/user/device/sign-out', {})
    },
  }
}
