import type {
  CreateLinkInput,
  FileItem,
  TransferPriority,
  TransferTicket,
  TransferView,
  UploadResult,
  UserInfo,
} from '@godwit/contract'
import type { ApiClient } from '@godwit/contract/client'
import { SHARE_URL_TYPE } from '@godwit/contract/exchange/link-states'
import { auth } from '@godwit/contract/table/auth'
import { deviceLogins } from '@godwit/contract/table/device-logins'
import { links } from '@godwit/contract/table/links'
import { transfers } from '@godwit/contract/table/transfers'
import { download, type Download, type DownloadOptions } from './downloads.ts'
import { idsOf, type Place, splitPath } from './places.ts'
import { type ConnectOptions, Session, type Tokens } from './session.ts'
import { upload, type UploadOptions } from './uploads.ts'

/** What can be changed about a transfer that is under way. */
export interface TransferChange {
  /** 0: no limit. */
  readonly rateMbps?: number
  readonly priority?: TransferPriority
  /** Unix milliseconds; null: no matter when. */
  readonly deadline?: number | null
}

/** A link as it is asked for: everything but what it shares has a default. */
export type WantedLink = Place &
  Partial<Omit<CreateLinkInput, 'spaceId' | 'groupId' | 'shareServerPath' | 'shareFiles'>>

export interface CreatedLink {
  /** A path without a host while the installation has no public address. */
  readonly address: string
  readonly linkId: string
}

export interface WantedTicket extends Place {
  readonly folder: string
  /** What lists call the transfer. */
  readonly name?: string
  readonly device?: string
  /** It comes from a folder that is kept in sync. */
  readonly isSync?: boolean
}

export interface WantedDownload extends Place {
  readonly paths: readonly string[]
  readonly device?: string
  /** The folder of the paths is kept in sync. */
  readonly isSync?: boolean
}

/** A server with an account. Every refusal is an `ApiError` whose name is that of the catalogue in docs/errors.md. */
export class Godwit {
  /** Any route of the API and any file operation, typed. */
  readonly api: ApiClient
  readonly #session: Session

  constructor(options: ConnectOptions) {
    this.#session = new Session(options)
    this.api = this.#session
  }

  /** What counts now; a session renews it. */
  get tokens(): Tokens {
    return this.#session.tokens
  }

  /** The account and its rights. */
  async account(spaceId?: number): Promise<UserInfo> {
    return (await this.api.call(auth.info, { query: spaceId === undefined ? {} : { spaceId } })).user
  }

  /** The entries of a folder, by name; pages are fetched as they are needed. */
  async *list(folder: string, place: Place = {}): AsyncGenerator<FileItem, void, undefined> {
    let cursor: string | null = null
    do {
      const page: { readonly items: readonly FileItem[]; readonly next: string | null } = await this.api.operation(
        'list',
        { ...idsOf(place), folder, cursor },
      )
      yield* page.items
      cursor = page.next
    } while (cursor !== null)
  }

  /** @returns its path */
  async makeFolder(path: string, place: Place = {}): Promise<string> {
    return (await this.api.operation('mkdir', { ...idsOf(place), ...splitPath(path) })).path
  }

  /** See {@link upload}. */
  upload(source: Blob, path: string, options?: UploadOptions): Promise<UploadResult> {
    return upload(this.#session, source, path, options)
  }

  /** See {@link download}. */
  download(path: string, options?: DownloadOptions): Promise<Download> {
    return download(this.#session, path, options)
  }

  readonly links = {
    /** Shares a file or a folder with whoever has the address. */
    share: (path: string, wanted: WantedLink = {}): Promise<CreatedLink> =>
      this.#createLink(SHARE_URL_TYPE.download, path, wanted),
    /** An address by which others send files into a folder. */
    invite: (folder: string, wanted: WantedLink = {}): Promise<CreatedLink> =>
      this.#createLink(SHARE_URL_TYPE.upload, folder, wanted),
    cancel: async (address: string): Promise<void> => {
      await this.api.call(links.cancelTwin, { body: { shareUrlList: [address] } })
    },
  }

  /** Transfers of the account by every way, and tickets for the transfer port. */
  readonly transfers = {
    list: async (): Promise<readonly TransferView[]> => (await this.api.call(transfers.list, {})).items,
    uploadTicket: (wanted: WantedTicket) => this.api.call(transfers.upload, { body: { ...wanted, ...idsOf(wanted) } }),
    downloadTicket: ({ paths, ...wanted }: WantedDownload) =>
      this.api.call(transfers.download, { body: { ...wanted, ...idsOf(wanted), paths: [...paths] } }),
    /** For one that goes on. */
    ticket: (transferId: string): Promise<TransferTicket> =>
      this.api.call(transfers.ticket, { params: { transferId }, body: {} }),
    pause: async (transferId: string): Promise<TransferView> =>
      (await this.api.call(transfers.pause, { params: { transferId }, body: {} })).transfer,
    resume: async (transferId: string): Promise<TransferView> =>
      (await this.api.call(transfers.resume, { params: { transferId }, body: {} })).transfer,
    cancel: async (transferId: string): Promise<TransferView> =>
      (await this.api.call(transfers.cancel, { params: { transferId }, body: {} })).transfer,
    /** @param rateMbps 0: no limit */
    limit: async (transferId: string, rateMbps: number): Promise<TransferView> =>
      (await this.api.call(transfers.limit, { params: { transferId }, body: { rateMbps } })).transfer,
    /** How fast it may be, how it shares the line and when it is to arrive; what is left out stays. */
    change: async (transferId: string, body: TransferChange): Promise<TransferView> =>
      (await this.api.call(transfers.limit, { params: { transferId }, body })).transfer,
  }

  /** Ends the session, or revokes the API token. */
  async signOut(): Promise<void> {
    if (this.tokens.refreshToken === undefined) await this.api.call(deviceLogins.signOut, { body: {} })
    else await this.api.call(auth.logout, {})
  }

  async #createLink(shareUrlType: 0 | 1, path: string, wanted: WantedLink): Promise<CreatedLink> {
    // An invite link takes the folder itself, and the root has no name to share it by.
    const isWhole = shareUrlType === SHARE_URL_TYPE.upload || path === '/'
    const { folder, name } = isWhole ? { folder: path, name: '' } : splitPath(path)
    const what = { shareServerPath: folder, shareFiles: isWhole ? [] : [name], shareUrlType }
    const made = await this.api.call(links.create, { body: { ...wanted, ...idsOf(wanted), ...what } })
    return { address: made.shareUrl, linkId: made.linkId }
  }
}
