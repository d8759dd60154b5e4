import type { EVENT_STATES, HookDeliveryState, HookKind, HookReason } from '@godwit/contract'
import type { Selectable } from 'kysely'

interface HooksTable {
  id: string
  name: string
  /** Case-folded name: hooks that differ only in case are one. */
  name_key: string
  kind: HookKind
  /** Of a webhook; '' for a program. */
  url: string
  /** A file of the folder for them; '' for a webhook. */
  program: string
  command_line: string
  wait_seconds: number
  /** Sealed by the vault. */
  secret_sealed: string
  /** HOOK_EVENTS, apart by commas. */
  events: string
  state: (typeof EVENT_STATES)[number]
  remark: string
  /** Null while it works. */
  failing_since: number | null
  /** 1: the server switched it off. */
  given_up: number
  created_at: number
  revision: number
}

interface HookDeliveriesTable {
  /** Grows with time. The `webhook-id` of every try. */
  id: string
  hook_id: string
  event: string
  /** JSON, as it is sent. */
  body: string
  state: HookDeliveryState
  attempts: number
  /** Of the last answer. */
  status: number | null
  reason: HookReason | null
  answer: string
  created_at: number
  tried_at: number | null
  /** Not before. */
  next_at: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly hooks: HooksTable
    readonly hook_deliveries: HookDeliveriesTable
  }
}

export type HookRow = Selectable<HooksTable>
export type HookDeliveryRow = Selectable<HookDeliveriesTable>
