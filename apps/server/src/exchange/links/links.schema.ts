import type { LinkAudience, LinkChange, MailState } from '@godwit/contract'
import type { Generated, Selectable } from 'kysely'

/** Times are Unix milliseconds. */
interface LinksTable {
  /** 128 random bits in hex: whoever knows the id may ask for the link. */
  id: string
  owner_id: string
  /** `SHARE_URL_TYPE` */
  url_type: number
  space_id: number
  group_id: number
  /** `SHARE_SOURCE_TYPE` */
  src_type: number
  /** What it is called in lists. */
  label: string
  /** Lower-case text that a search looks through. */
  search_text: string
  /** '' without a password. Its owner may read it again. */
  password_sealed: string
  not_before: number
  /** 0: never. */
  expires_at: number
  /** `LINK_STATUS`, as last noted: whoever asks compares `expires_at` as well. */
  status: number
  notify: number
  allow_download: number
  bind_switch: number
  /** Hash of the key of the first device; '' while there is none. */
  bind_device: string
  /** 0: no limit. */
  download_limit: number
  download_count: number
  upload_count: number
  /** When the last of what it shares was deleted; 0 while something is left. */
  lost_at: number
  recipients: string
  /** Only those it was mailed to come in, by a code that is mailed to them. */
  need_email: number
  /** `named` and `everyone`: people of the site, who sign in. */
  audience: LinkAudience
  /** Fingerprint of the key that its files are encrypted for; '' for a link whose files are ordinary ones. */
  sealed_by: string
  /** Of the last mail: `MAIL_LANGUAGE`, and what the owner wrote. */
  mail_language: number
  mail_text: string | null
  description: string
  /** `GuestForm` as JSON; null when guests are asked nothing. */
  guest_form: string | null
  /** `LinkRequest` as JSON; null when anything is taken. */
  request: string | null
  /** Uses up to then were mailed to the owner. */
  reported_until: number
  /** When the last such mail was written; 0: never. */
  reported_at: number
  /** The end that the owner was reminded of; 0: of none. */
  reminded_of: number
  /** When those who are missing were reminded last; 0: never. */
  chased_at: number
  created_at: number
}

/** What a link shares: one folder, or chosen entries. Follows them within their place; see link-follow.ts. */
interface LinkTargetsTable {
  link_id: string
  /** Order of the choice. */
  at: number
  /** '' for the library of a group. */
  owner_id: string
  space_id: number
  group_id: number
  /** As the owner sees it; of what is lost, where it was. */
  path: string
  /** SHA-256 of the path, which is too long for a key. */
  path_hash: string
  /** The storage's tag, by which a later entry of the same name is another one; '' where nobody knows it. */
  etag: string
  /** The name that guests see; '' for its own. */
  alias: string
  is_lost: number
  /** What it lies in within the recycle bin; '' where it was moved to another place. */
  recycle_id: string
  /** Path that was recycled: its own, or that of a folder above. */
  recycled_path: string
}

interface LinkVisitsTable {
  id: string
  link_id: string
  token_hash: string
  address: string
  user_agent: string
  /** Whose mailed address it began with, proven by a code where the link asks for one; '' when nobody knows. */
  recipient: string
  /** Who visits a link for people of the site; '' for guests. */
  user_id: string
  created_at: number
  expires_at: number
}

/** One download, or one file or batch that came. */
interface LinkUsesTable {
  /** Grows with time. */
  id: string
  link_id: string
  visit_id: string
  kind: 'download' | 'upload'
  address: string
  /** Paths as guests see them, at most 10, as JSON. */
  files: string
  file_count: number
  bytes: number
  /** Bytes of what was asked for; 0 while nobody knows, as of a zip. */
  total_bytes: number
  is_whole: number
  /** As of its visit. */
  recipient: string
  at: number
}

/** What a visit brought: the only entries of an invite link that it sees. */
interface LinkEntriesTable {
  visit_id: string
  link_id: string
  /** SHA-256 of the path, which is too long for a key. */
  path_hash: string
  /** As the owner sees it. */
  path: string
  kind: 'file' | 'folder'
  at: number
}

/** What guests answered: kept as long as the link, for the records of what they brought. */
interface LinkGuestsTable {
  visit_id: string
  link_id: string
  /** `GuestEntry` as JSON. */
  entry: string
  at: number
}

/** Files that came for the checklist of a link: kept as long as the link, when their visits are forgotten. */
interface LinkArrivalsTable {
  /** Grows with time. */
  id: string
  link_id: string
  visit_id: string
  /** As of its visit. */
  recipient: string
  /** Of the checklist; '' for none of them. */
  item: string
  /** As the guest sees it. */
  path: string
  bytes: number
  at: number
}

/** Whom a link was mailed to. */
interface LinkRecipientsTable {
  link_id: string
  /** SHA-256 of the folded address. */
  address_hash: string
  address: string
  /** Of the token that makes the address in the mail a personal one. */
  token_hash: string
  /** The job of the last mail; '' before the first. */
  mail_job: string
  mail_state: MailState
  /** What the mail server said last. */
  mail_answer: string
  /** When the last mail was written; 0: never. */
  mailed_at: number
  /** When the personal address was opened first; 0: not yet. */
  opened_at: number
  /** When the code was entered last; 0: never. */
  proven_at: number
}

/** Files of which a recipient has proven to have a whole copy. */
interface LinkChecksTable {
  link_id: string
  address_hash: string
  /** SHA-256 of the path as guests see it and the checksum: another file of the same name is another check. */
  file_hash: string
  at: number
}

/** What became of a link, the oldest first; forgotten with it. */
interface LinkChangesTable {
  seq: Generated<number>
  link_id: string
  change_kind: LinkChange
  /** Account; '' for the server itself. */
  by_id: string
  at: number
}

/** People whom a link for people of the site names. */
interface LinkPeopleTable {
  link_id: string
  user_id: string
}

/** Groups that it names: whoever is a member of them at the time. */
interface LinkGroupsTable {
  link_id: string
  group_id: number
}

/** Who of those it is for opened it. */
interface LinkOpeningsTable {
  link_id: string
  user_id: string
  /** The first time. */
  opened_at: number
  last_at: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly links: LinksTable
    readonly link_targets: LinkTargetsTable
    readonly link_visits: LinkVisitsTable
    readonly link_uses: LinkUsesTable
    readonly link_entries: LinkEntriesTable
    readonly link_changes: LinkChangesTable
    readonly link_guests: LinkGuestsTable
    readonly link_arrivals: LinkArrivalsTable
    readonly link_recipients: LinkRecipientsTable
    readonly link_checks: LinkChecksTable
    readonly link_people: LinkPeopleTable
    readonly link_groups: LinkGroupsTable
    readonly link_openings: LinkOpeningsTable
  }
}

export type LinkRow = Selectable<LinksTable>
export type LinkTargetRow = Selectable<LinkTargetsTable>
/** A link with what it shares, in the order of the choice. */
export interface Link extends LinkRow {
  readonly targets: readonly LinkTargetRow[]
}
export type VisitRow = Selectable<LinkVisitsTable>
export type LinkArrivalRow = Selectable<LinkArrivalsTable>
export type LinkUseRow = Selectable<LinkUsesTable>
export type LinkEntryRow = Selectable<LinkEntriesTable>
export type LinkCheckRow = Selectable<LinkChecksTable>
export type LinkChangeRow = Selectable<LinkChangesTable>
export type LinkRecipientRow = Selectable<LinkRecipientsTable>
export type LinkGuestRow = Selectable<LinkGuestsTable>
