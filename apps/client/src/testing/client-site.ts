import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodePassword, FULL_PERMISSION } from '@godwit/contract'
import { adminDesign } from '@godwit/contract/table/admin-design'
import { adminSettings } from '@godwit/contract/table/admin-settings'
import { adminSpaces } from '@godwit/contract/table/admin-spaces'
import { auth } from '@godwit/contract/table/auth'
import { deviceLogins } from '@godwit/contract/table/device-logins'
import { security } from '@godwit/contract/table/security'
import { signIn } from '@godwit/sdk'
import { launchGodwit, type Godwit } from '@godwit/testkit'
import { ClientProgram } from './client-program.ts'

export interface SitePlace {
  /** More environment of the server. */
  readonly env?: Readonly<Record<string, string>>
  /** The start of a command line that runs where the client is. */
  readonly computer?: readonly string[]
}

/** A server that clients may transfer with, and a client with a token of its administrator. */
export class ClientSite implements AsyncDisposable {
  readonly tokenFile: string
  readonly #folder: string
  readonly #place: SitePlace
  #godwit: Godwit

  private constructor(folder: string, place: SitePlace, godwit: Godwit) {
    this.#folder = folder
    this.#place = place
    this.#godwit = godwit
    this.tokenFile = join(folder, 'token')
  }

  /** Everything lies in the folder; the client is not signed in. */
  static async open(folder: string, place: SitePlace = {}): Promise<ClientSite> {
    const { env = {} } = place
    const site = new ClientSite(folder, place, await launchGodwit({ data: join(folder, 'data'), env }))
    writeFileSync(site.tokenFile, await newToken(site.#godwit))
    const login = site.client('login', site.url, '--token-file', site.tokenFile)
    if ((await login.exitCode()) !== 0) throw new Error('the client was not signed in')
    return site
  }

  get url(): string {
    return this.#godwit.url
  }

  /** Of its client. */
  get environment(): Record<string, string> {
    return {
      GODWIT_CLIENT_HOME: join(this.#folder, 'home'),
      // Nothing of the person who runs the tests changes.
      XDG_CONFIG_HOME: join(this.#folder, 'config'),
      XDG_DATA_HOME: join(this.#folder, 'share'),
      DISPLAY: '',
      DBUS_SESSION_BUS_ADDRESS: '',
      WAYLAND_DISPLAY: '',
    }
  }

  client(...words: readonly string[]): ClientProgram {
    return new ClientProgram(words, this.environment, this.#place.computer)
  }

  /** A program of another computer, which shares nothing with `client` but the server; with `login` it gets the same token. */
  clientElsewhere(...words: readonly string[]): ClientProgram {
    const environment = { ...this.environment, GODWIT_CLIENT_HOME: join(this.#folder, 'elsewhere') }
    return new ClientProgram(words, environment, this.#place.computer)
  }

  /** Kills the server and starts it again on the same data and port. */
  async restart(): Promise<void> {
    await this.#godwit.end('SIGKILL')
    const { env = {} } = this.#place
    this.#godwit = await launchGodwit({ data: this.#godwit.data, port: Number(new URL(this.url).port), env })
  }

  /** How fast all downloads together may be, for the server; 0: as fast as they can. */
  async limitDownloads(downloadMbps: number): Promise<void> {
    const { api } = await signIn({ server: this.url, ...this.#godwit.administrator })
    const [space] = (await api.call(adminSpaces.list, {})).spaces
    if (space === undefined) throw new Error('a site without a space')
    const body = { revision: space.revision, speed: { uploadMbps: 0, downloadMbps, periods: [] } }
    await api.call(adminSpaces.edit, { params: { spaceId: space.id }, body })
  }

  /** Changes settings of the site, all or none. */
  async set(...changes: ReadonlyArray<Readonly<Record<'from' | 'value', string | number>> & { readonly key: string }>) {
    const { api } = await signIn({ server: this.url, ...this.#godwit.administrator })
    await api.call(adminSettings.edit, { body: { changes: [...changes] } })
  }

  /** Answers the code of a sign-in, as its administrator in a browser. */
  async confirm(userCode: string, isAllowed: boolean): Promise<void> {
    const { administrator } = this.#godwit
    const { api } = await signIn({ server: this.url, ...administrator })
    const password = encodePassword(administrator.password)
    await api.call(deviceLogins.decide, { body: { userCode, isAllowed, password } })
  }

  /** Makes a space with the administrator in it, where everybody who is in it begins. @returns its id */
  async beginIn(name: string): Promise<number> {
    const { api } = await signIn({ server: this.url, ...this.#godwit.administrator })
    const { spaceId } = await api.call(adminSpaces.add, { body: { name } })
    const { user } = await api.call(auth.info, {})
    await api.call(adminSpaces.setMembers, { params: { spaceId }, body: { userIds: [user.id] } })
    await api.call(adminDesign.edit, { body: { changes: [{ key: 'menu.space.spaceId', from: 1, value: spaceId }] } })
    return spaceId
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#godwit.stop()
  }
}

async function newToken({ url, administrator }: Godwit): Promise<string> {
  const { api } = await signIn({ server: url, ...administrator })
  const password = encodePassword(administrator.password)
  const body = { name: 'client', permission: FULL_PERMISSION, days: 1, password }
  return (await api.call(security.createApiToken, { body })).token
}
