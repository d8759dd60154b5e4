import type { DirectoryChange, DirectorySyncState } from '@godwit/contract'
import type { Generated, Selectable } from 'kysely'

interface AuthProvidersTable {
  id: Generated<number>
  kind: string
  name: string
  /** Case-folded name. */
  name_key: string
  /** Ascending: who is asked first. */
  place: number
  enabled: number
  /** JSON, as the schema of the kind has it. */
  settings: string
  sealed_secret: string
  created_at: number
  revision: number
}

/** Which account comes from where. */
interface ExternalAccountsTable {
  user_id: string
  provider_id: number
  /** Of the entry, for as long as it lives. */
  external_key: string
  /** The name it signs in with at the provider. */
  login: string
  /** 1: locked because the provider does not have it any more, so it is unlocked when it comes back. */
  locked_by_sync: number
}

/** Memberships that came from a provider, and that it may therefore end. */
interface ExternalMembersTable {
  user_id: string
  group_id: number
}

interface DirectorySyncsTable {
  /** Grows with time. */
  id: string
  provider_id: number
  provider_name: string
  dry_run: number
  state: DirectorySyncState
  started_by: string
  locks_max: number | null
  started_at: number
  ended_at: number | null
  read_entries: number
  written: number
  /** JSON: accounts by what happens to them. */
  counts: string
  error: string
}

interface DirectorySyncChangesTable {
  sync_id: string
  seq: number
  kind: DirectoryChange
  account: string
  detail: string
}

/** A sign-in at an identity provider that has begun. */
interface SignOnFlowsTable {
  /** SHA-256 of what goes to the provider and comes back. */
  state_hash: string
  /** SHA-256 of what stays in the browser that began it. */
  key_hash: string
  provider_id: number
  /** What the answer is checked with. */
  sealed: string
  expires_at: number
  /** The answer of a provider that has the browser post it. */
  posted: string | null
}

/** A session here that began with one of an identity provider. It goes with the session. */
interface SignOnSessionsTable {
  session_id: string
  provider_id: number
  external_key: string
  /** Name of the provider's session; '' when it gave none. */
  external_session: string
  /** Address that ends the provider's session; '' without one. */
  sealed_leave: string
  proven_at: number
}

/** What this site signs its SAML requests with: one row. */
interface SamlSignersTable {
  id: number
  /** PEM. */
  certificate: string
  sealed_key: string
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly auth_providers: AuthProvidersTable
    readonly external_accounts: ExternalAccountsTable
    readonly external_members: ExternalMembersTable
    readonly sign_on_flows: SignOnFlowsTable
    readonly sign_on_sessions: SignOnSessionsTable
    readonly saml_signers: SamlSignersTable
    readonly directory_syncs: DirectorySyncsTable
    readonly directory_sync_changes: DirectorySyncChangesTable
  }
}

export type ProviderRow = Selectable<AuthProvidersTable>
export type ExternalAccountRow = Selectable<ExternalAccountsTable>
export type SignOnFlowRow = Selectable<SignOnFlowsTable>
export type SignOnSessionRow = Selectable<SignOnSessionsTable>
export type SamlSignerRow = Selectable<SamlSignersTable>
export type SyncRow = Selectable<DirectorySyncsTable>
export type SyncChangeRow = Selectable<DirectorySyncChangesTable>
