import { RENDEZVOUS_ACCESS } from '@godwit/contract'
import { oneOf, whole } from '../../foundation/settings/index.ts'
import { defineSettings, setting, type SettingValues } from '../../kernel/setting.ts'

const TRANSFER = { tab: 'transfer' } as const

/** Rooms in which two programs meet that cannot reach each other. */
export const RENDEZVOUS_SETTINGS = defineSettings({
  'rendezvous.access': setting(oneOf(Object.values(RENDEZVOUS_ACCESS), RENDEZVOUS_ACCESS.accounts), TRANSFER),
  'rendezvous.roomsPerCaller': setting(whole(1, 1_000).default(10), TRANSFER),
  /** Of one room; what a direct way carries does not pass here. */
  'rendezvous.relayGibibytes': setting(whole(0, 1_000_000).default(100), TRANSFER),
  /** Of one room, Mbit/s; 0: no limit. */
  'rendezvous.relayMegabits': setting(whole(0, 100_000).default(0), TRANSFER),
})
export type RendezvousSettings = SettingValues<typeof RENDEZVOUS_SETTINGS>
