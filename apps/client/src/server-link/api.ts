import type { FileItem, TransferTicket, TransferView } from '@godwit/contract'
import { auth } from '@godwit/contract/table/auth'
import { deviceLogins } from '@godwit/contract/table/device-logins'
import { connect, type ProgramFacts } from '@godwit/sdk'
import type { Profile } from '../profiles/profile.ts'
import { type UploadFilter, uploadFilter } from './upload-filter.ts'

export interface PlaceIds {
  readonly spaceId: number
  readonly groupId: number
}

export interface WantedUpload extends PlaceIds {
  readonly folder: string
  /** What lists call it. */
  readonly name: string
  /** It comes from a folder that a page keeps in sync. */
  readonly isSync?: boolean
}

export interface WantedDownload extends PlaceIds {
  readonly paths: readonly string[]
  /** A page keeps their folder in sync. */
  readonly isSync?: boolean
}

/** A ticket; the last two an older server leaves out. */
export type Ticket = Omit<TransferTicket, 'rules' | 'defaultSpaceId'> &
  Partial<Pick<TransferTicket, 'rules' | 'defaultSpaceId'>>

/** What the client asks of a server over HTTP. */
export interface Api {
  account(): Promise<string>
  /** Where the account works unless somebody says otherwise. */
  defaultSpace(): Promise<number>
  /** What is left out of uploads to a place. */
  filterOf(place: PlaceIds): Promise<UploadFilter>
  list(place: PlaceIds, folder: string, cursor: string | null): Promise<FolderPage>
  transfers(): Promise<readonly TransferView[]>
  uploadTicket(wanted: WantedUpload): Promise<Ticket>
  downloadTicket(wanted: WantedDownload): Promise<Ticket>
  /** For a transfer that goes on. */
  ticketOf(transferId: string): Promise<Ticket>
  control(transferId: string, action: 'pause' | 'resume' | 'cancel'): Promise<TransferView>
  /** @param rateMbps 0: no limit */
  limit(transferId: string, rateMbps: number): Promise<TransferView>
  /** @param deadline Unix milliseconds; null: no matter when it arrives */
  arriveBy(transferId: string, deadline: number | null): Promise<TransferView>
  /** Says which device the token is used on. */
  register(program: ProgramFacts): Promise<void>
  /** Revokes the token. */
  signOut(): Promise<void>
}

export interface FolderPage {
  readonly items: readonly FileItem[]
  readonly next: string | null
}

/** A kept connection that stayed behind in another network never answers; the next call makes a new one. */
const CALL_MS = 15_000

export function connectApi({ server, token }: Pick<Profile, 'server' | 'token'>, device: string): Api {
  const godwit = connect({ server, token, timeoutMs: CALL_MS })
  const { api, transfers } = godwit
  return {
    account: async () => (await api.call(auth.info, {})).user.account,
    defaultSpace: async () => (await api.call(auth.info, {})).user.defaultSpaceId,
    filterOf: async ({ spaceId, groupId }) =>
      uploadFilter((await api.call(auth.info, { query: { spaceId } })).user, groupId),
    list: (place, folder, cursor) => api.operation('list', { ...place, folder, cursor }),
    transfers: transfers.list,
    uploadTicket: (wanted) => transfers.uploadTicket({ ...withSync(wanted), device }),
    downloadTicket: (wanted) => transfers.downloadTicket({ ...withSync(wanted), device }),
    ticketOf: transfers.ticket,
    control: (transferId, action) => transfers[action](transferId),
    limit: transfers.limit,
    arriveBy: (transferId, deadline) => transfers.change(transferId, { deadline }),
    async register(program) {
      await api.call(deviceLogins.register, { body: program })
    },
    signOut: () => godwit.signOut(),
  }
}

/** A server that knows no folders in sync takes no such field. */
function withSync<T extends { readonly isSync?: boolean }>({ isSync, ...wanted }: T) {
  return isSync === true ? { ...wanted, isSync } : wanted
}
