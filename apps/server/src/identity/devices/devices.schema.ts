import type { Generated, Selectable } from 'kysely'

/** Times are Unix milliseconds. */
interface DeviceLoginsTable {
  id: string
  /** Of the secret that the program keeps. */
  secret_hash: string
  user_code: string
  name: string
  platform: string
  version: string
  address: string
  state: 'pending' | 'granted' | 'denied'
  /** Who granted it. */
  user_id: string | null
  /** Hash of that account's password hash then: a new password ends the grant. */
  stamp: string
  created_at: number
  expires_at: number
}

interface ClientDevicesTable {
  /** A device is signed in by this token alone, and gone with it. */
  api_token_id: string
  name: string
  platform: string
  version: string
  address: string
  last_seen_at: number
  /** 1 when a sign-in by code made the token, 0 for a token of its owner's making. */
  by_code: Generated<number>
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly device_logins: DeviceLoginsTable
    readonly client_devices: ClientDevicesTable
  }
}

export type DeviceLoginRow = Selectable<DeviceLoginsTable>
/** What a device says of itself; `by_code` is none of it. */
export type ClientDeviceRow = Omit<Selectable<ClientDevicesTable>, 'by_code'>
