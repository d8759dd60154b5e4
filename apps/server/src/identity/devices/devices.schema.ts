import type { UpgradeReason } from '@godwit/contract'
import type { Generated, Selectable, Updateable } from 'kysely'

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
  /** The upgrade that did not come about last: to which version, and why; '' when nothing is wrong. */
  upgrade_version: Generated<string>
  upgrade_reason: Generated<UpgradeReason | ''>
  /** Until then the node that it is connected to vouches for it. */
  connected_until: Generated<number>
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly device_logins: DeviceLoginsTable
    readonly client_devices: ClientDevicesTable
  }
}

export type DeviceLoginRow = Selectable<DeviceLoginsTable>
/** What a device says of itself when it signs in. */
export type ClientDeviceRow = Omit<
  Selectable<ClientDevicesTable>,
  'by_code' | 'upgrade_version' | 'upgrade_reason' | 'connected_until'
>
/** What changes while it is signed in. */
export type DeviceChange = Omit<Updateable<ClientDevicesTable>, 'api_token_id' | 'by_code'>
